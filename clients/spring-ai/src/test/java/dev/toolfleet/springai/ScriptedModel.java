package dev.toolfleet.springai;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.definition.ToolDefinition;

/// Model whose answers are written before, one for each request. Asks its manager for the tools, as Spring AI's models do.
final class ScriptedModel implements ChatModel {
    final List<Prompt> prompts = new ArrayList<>();
    final List<List<String>> tools = new ArrayList<>();
    private final Deque<Supplier<AssistantMessage>> script = new ArrayDeque<>();
    private final ToolCallingManager manager;

    ScriptedModel(ToolCallingManager manager) {
        this.manager = manager;
    }

    /// The next answer: calls of tools, in this order.
    ScriptedModel calls(ToolCall... calls) {
        return does(() -> AssistantMessage.builder().content("").toolCalls(Arrays.asList(calls)).build());
    }

    /// The next answer: a text.
    ScriptedModel says(String text) {
        return does(() -> new AssistantMessage(text));
    }

    /// The next answer: depends on what the model has seen.
    ScriptedModel does(Supplier<AssistantMessage> answer) {
        script.add(answer);
        return this;
    }

    static ToolCall call(String id, String name, String arguments) {
        return new ToolCall(id, "function", name, arguments.replace('\'', '"'));
    }

    @Override
    public ChatOptions getOptions() {
        return ToolCallingChatOptions.builder().build();
    }

    @Override
    public ChatResponse call(Prompt prompt) {
        prompts.add(prompt);
        tools.add(prompt.getOptions() instanceof ToolCallingChatOptions options
                ? manager.resolveToolDefinitions(options).stream().map(ToolDefinition::name).toList()
                : List.of());
        return new ChatResponse(List.of(new Generation(script.remove().get())));
    }

    /// The newest tool responses, in their order.
    List<ToolResponse> results() {
        return results(prompts.size() - 1);
    }

    /// The tool responses at the end of a prompt, in their order.
    List<ToolResponse> results(int prompt) {
        return prompts.get(prompt).getInstructions().getLast() instanceof ToolResponseMessage message
                ? message.getResponses()
                : List.of();
    }

    /// The texts of the user messages of a prompt, in their order.
    List<String> userTexts(int prompt) {
        return prompts.get(prompt).getInstructions().stream()
                .filter(message -> message.getMessageType() == MessageType.USER).map(message -> message.getText())
                .toList();
    }

    void forget() {
        script.clear();
        prompts.clear();
        tools.clear();
    }
}
