package dev.toolfleet.langchain4j;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.toolfleet.client.turn.AgentTurns;
import dev.toolfleet.client.turn.CallNews;
import dev.toolfleet.client.turn.TurnStart;
import org.jspecify.annotations.Nullable;

/// Dynamic provider of the tools that an agent's model may see in its present step.
///
/// **Contract.** Each request to the model is a step of the fleet: LangChain4j calls the provider before it. An invocation
/// of the AI service is a turn, and its memory id the conversation: the fleet's `instanceKey`. Calls keep the ids of the
/// model. Failed, denied and pending calls are answered with text that the model can act on.
///
/// As a plain `toolProvider`, calls of one assistant message run one after the other, tools that a later step does not
/// show stay visible until the invocation ends (the fleet refuses their calls), and the application passes on [#takeNews].
/// [#addTo] does all of this by itself.
///
/// **Threads.** Thread-safe, for any number of AI services and conversations.
public final class FleetToolProvider implements ToolProvider {
    /// Key of the invocation parameter with the user for whom the agent acts.
    public static final String USER_ID = "toolfleet.userId";
    /// Key of the invocation parameter with the channel of that user.
    public static final String CHANNEL_ID = "toolfleet.channelId";
    /// LangChain4j's memory id of a service method without one.
    private static final String NO_MEMORY_ID = "default";

    private final AgentTurns turns;
    private final String agentName;
    private final Function<Object, String> instances;

    FleetToolProvider(AgentTurns turns, String agentName, Function<Object, String> instances) {
        this.turns = turns;
        this.agentName = agentName;
        this.instances = instances;
    }

    /// The conversation of a memory id: its text.
    static String named(Object memoryId) {
        if (memoryId.equals(NO_MEMORY_ID))
            throw new IllegalArgumentException("the service method has no memory id, so all its callers would share one"
                    + " conversation of the fleet: annotate a parameter with @MemoryId, or name the conversation with"
                    + " Toolfleet.tools(…).forInstances(id -> …)");
        return memoryId.toString();
    }

    /// The same with another conversation, the `instanceKey`, for each memory id.
    public FleetToolProvider forInstances(Function<Object, String> newInstances) {
        return new FleetToolProvider(turns, agentName, newInstances);
    }

    /// The same with another time that a pending call has for its final result before it is answered as pending; one second
    /// without it.
    public FleetToolProvider waitingForWork(Duration patience) {
        return new FleetToolProvider(turns.waitingForWork(patience), agentName, instances);
    }

    /// The same with a listener that hears of each news. It may begin an invocation of the AI service, whose model then
    /// sees the news.
    public FleetToolProvider onNews(Consumer<CallNews> listener) {
        return new FleetToolProvider(turns.onNews(listener), agentName, instances);
    }

    /// Adds the tools to an AI service with all that the fleet does for it: calls of one assistant message are sent together
    /// and in order, each request shows the tools of its step alone, and news are in the conversation before the next
    /// request.
    ///
    /// It sets the builder's `toolProvider`, `chatMemoryProvider`, `chatRequestTransformer` and
    /// `hallucinatedToolNameStrategy`, and registers listeners.
    ///
    /// @param memories makes the memory of each conversation; news are added there
    public <T> AiServices<T> addTo(AiServices<T> builder, ChatMemoryProvider memories) {
        ServiceHooks hooks = new ServiceHooks(this, memories);
        return builder.toolProvider(hooks).chatMemoryProvider(hooks::memory).chatRequestTransformer(hooks::transform)
                .hallucinatedToolNameStrategy(ServiceHooks::unknown).registerListeners(hooks.listeners());
    }

    /// Returns the news of a conversation that are not taken yet, in the order of their arrival, each of them once.
    public List<CallNews> takeNews(Object memoryId) {
        return turns.takeNews(instances.apply(memoryId));
    }

    @Override
    public boolean isDynamic() {
        return true;
    }

    @Override
    public ToolProviderResult provideTools(ToolProviderRequest request) {
        return turn(request.invocationContext()).nextStep();
    }

    /// Returns the turn of an invocation, which lives as long as the invocation does.
    ServiceTurn turn(@Nullable InvocationContext context) {
        InvocationParameters parameters = context == null ? null : context.invocationParameters();
        UUID invocation = context == null ? null : context.invocationId();
        Object memoryId = context == null ? null : context.chatMemoryId();
        if (parameters == null || invocation == null || memoryId == null)
            throw new IllegalArgumentException("the tools of agent '" + agentName + "' need the invocation's id,"
                    + " parameters and memory id: use them through AiServices, which passes all three");
        Map<String, Object> values = parameters.asMap();
        // An application may use one InvocationParameters again: each invocation has its own turn.
        return (ServiceTurn) values.computeIfAbsent(key(invocation),
                key -> new ServiceTurn(turns.begin(new TurnStart(instances.apply(memoryId), invocation.toString(),
                        text(values.get(USER_ID)), text(values.get(CHANNEL_ID))))));
    }

    /// Removes the turn of an invocation that has ended, and returns it; null when it has begun none. Otherwise: parameters
    /// that an application uses again keep every turn.
    @Nullable
    ServiceTurn forget(InvocationContext context) {
        InvocationParameters parameters = context.invocationParameters();
        UUID invocation = context.invocationId();
        return parameters == null || invocation == null
                ? null
                : (ServiceTurn) parameters.asMap().remove(key(invocation));
    }

    private String key(UUID invocation) {
        return "toolfleet.turn." + agentName + "." + invocation;
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }
}
