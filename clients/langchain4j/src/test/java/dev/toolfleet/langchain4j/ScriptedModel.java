package dev.toolfleet.langchain4j;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;

/// Model whose answers are written before, one for each request. Keeps the requests.
final class ScriptedModel implements ChatModel {
    final List<ChatRequest> requests = new ArrayList<>();
    private final Deque<Function<ChatRequest, AiMessage>> script = new ArrayDeque<>();

    /// The next answer: calls of tools, in this order.
    ScriptedModel calls(ToolExecutionRequest... calls) {
        script.add(request -> AiMessage.from(Arrays.asList(calls)));
        return this;
    }

    /// The next answer: a text.
    ScriptedModel says(String text) {
        script.add(request -> AiMessage.from(text));
        return this;
    }

    /// The next answer: depends on the request.
    ScriptedModel does(Function<ChatRequest, AiMessage> answer) {
        script.add(answer);
        return this;
    }

    static ToolExecutionRequest call(String id, String name, String arguments) {
        return ToolExecutionRequest.builder().id(id).name(name).arguments(arguments.replace('\'', '"')).build();
    }

    @Override
    public ChatResponse doChat(ChatRequest request) {
        requests.add(request);
        return ChatResponse.builder().aiMessage(script.remove().apply(request)).build();
    }

    /// The names of the tools that a request shows.
    static List<String> tools(ChatRequest request) {
        return request.toolSpecifications().stream().map(ToolSpecification::name).toList();
    }

    /// The tool messages of the newest request, in their order.
    List<ToolExecutionResultMessage> results() {
        return of(ToolExecutionResultMessage.class, requests.getLast());
    }

    /// The user messages of a request, in their order.
    static List<String> userTexts(ChatRequest request) {
        return of(UserMessage.class, request).stream().map(UserMessage::singleText).toList();
    }

    private static <T extends ChatMessage> List<T> of(Class<T> type, ChatRequest request) {
        return request.messages().stream().filter(type::isInstance).map(type::cast).toList();
    }
}
