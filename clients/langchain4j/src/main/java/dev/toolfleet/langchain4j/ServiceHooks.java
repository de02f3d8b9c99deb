package dev.toolfleet.langchain4j;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.observability.api.event.AiServiceResponseReceivedEvent;
import dev.langchain4j.observability.api.listener.AiServiceCompletedListener;
import dev.langchain4j.observability.api.listener.AiServiceErrorListener;
import dev.langchain4j.observability.api.listener.AiServiceListener;
import dev.langchain4j.observability.api.listener.AiServiceResponseReceivedListener;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.toolfleet.client.turn.CallNews;
import dev.toolfleet.error.ErrorCode;

/// Parts of one AI service that the fleet uses: tools, requests, responses and memories. Thread-safe.
final class ServiceHooks implements ToolProvider {
    private final FleetToolProvider provider;
    private final ChatMemoryProvider memories;
    /// The memories that the service uses: it keeps what it gets, until the application evicts it.
    private final Map<Object, WeakReference<ChatMemory>> used = new ConcurrentHashMap<>();
    /// The newest turn of each conversation whose invocation runs.
    private final Map<Object, ServiceTurn> open = new ConcurrentHashMap<>();

    ServiceHooks(FleetToolProvider provider, ChatMemoryProvider memories) {
        this.provider = provider;
        this.memories = memories;
    }

    List<AiServiceListener<?>> listeners() {
        AiServiceResponseReceivedListener received = this::received;
        AiServiceCompletedListener completed = event -> ended(event.invocationContext());
        AiServiceErrorListener failed = event -> ended(event.invocationContext());
        return List.of(received, completed, failed);
    }

    ChatMemory memory(Object memoryId) {
        ChatMemory memory = memories.get(memoryId);
        used.values().removeIf(reference -> reference.get() == null);
        used.put(memoryId, new WeakReference<>(memory));
        return memory;
    }

    @Override
    public boolean isDynamic() {
        return true;
    }

    @Override
    public ToolProviderResult provideTools(ToolProviderRequest request) {
        ServiceTurn turn = provider.turn(request.invocationContext());
        open.put(request.chatMemoryId(), turn);
        return turn.nextStep();
    }

    /// Removes the tools that the step does not show, and adds the news. LangChain4j calls it behind `provideTools`, once
    /// the results of all calls are in the memory: news cannot come between a call and its result.
    ChatRequest transform(ChatRequest request, Object memoryId) {
        ServiceTurn turn = open.get(memoryId);
        if (turn == null)
            return request;
        List<ChatMessage> messages = new ArrayList<>(request.messages());
        WeakReference<ChatMemory> reference = used.get(memoryId);
        ChatMemory memory = reference == null ? null : reference.get();
        for (CallNews news : provider.takeNews(memoryId)) {
            UserMessage message = UserMessage.from(news.text());
            messages.add(message);
            if (memory != null)
                memory.add(message);
        }
        return request.toBuilder().messages(messages).parameters(shown(request.parameters(), turn)).build();
    }

    private static ChatRequestParameters shown(ChatRequestParameters parameters, ServiceTurn turn) {
        List<ToolSpecification> all = parameters.toolSpecifications();
        List<ToolSpecification> shown = all.stream().filter(tool -> !turn.isGone(tool)).toList();
        if (shown.size() == all.size())
            return parameters;
        // An empty list would not override the one before.
        return parameters.overrideWith(shown.isEmpty()
                ? ChatRequestParameters.builder().toolChoice(ToolChoice.NONE).build()
                : ChatRequestParameters.builder().toolSpecifications(shown).build());
    }

    /// The answer to a call of a tool that no step of this turn has shown.
    static ToolExecutionResultMessage unknown(ToolExecutionRequest request) {
        return ToolExecutionResultMessage.from(request, ErrorCode.E_TOOL_NOT_IN_CATALOG + ": there is no tool "
                + request.name() + ". " + ErrorCode.E_TOOL_NOT_IN_CATALOG.suggestion());
    }

    private void received(AiServiceResponseReceivedEvent event) {
        if (event.response().aiMessage().hasToolExecutionRequests())
            provider.turn(event.invocationContext()).announce(event.response().aiMessage().toolExecutionRequests());
    }

    private void ended(InvocationContext context) {
        ServiceTurn turn = provider.forget(context);
        if (turn != null) {
            // A later invocation of the conversation may run already, and stays.
            open.remove(context.chatMemoryId(), turn);
            turn.end();
        }
    }
}
