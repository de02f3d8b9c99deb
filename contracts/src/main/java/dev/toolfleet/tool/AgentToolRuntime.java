package dev.toolfleet.tool;

import java.time.Duration;
import java.util.List;

import dev.toolfleet.wire.AgentInstance;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Messages from a handler to other agents, on behalf of the agent whose model called: [ToolContext#runtime].
///
/// **Contract.** Events travel with the call's result, in one transaction. When the call's result is there, so is the
/// event. A call that fails, or whose worker dies, has sent nothing. Only [#request] sends at once, since it waits for
/// the answer.
///
/// Every method fails with a [ToolException] that a model understands: `E_AGENT_NOT_FOUND`, `E_AGENT_NOT_CALLABLE`,
/// `E_AGENT_NOT_OWNED`, `E_AGENT_OTHER_CONVERSATION`, `E_AGENT_CYCLE`, `E_AGENT_CALLER_UNKNOWN`.
///
/// **Threads.** Thread-safe; do not use it after the handler has ended.
public interface AgentToolRuntime {
    /// The default time of a request (Goondan v0.0.3).
    Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

    /// Hands work to an agent and lets this call wait for its end, without a thread. Return its value as the call's
    /// answer. The agent's answer becomes the call's final result.
    ///
    /// ```java
    /// return ctx.runtime().orElseThrow().delegate(Message.to("reviewer", "Check this."), Duration.ofMinutes(5));
    /// ```
    ///
    /// @param timeout the agent's longest silence; then the call ends with `E_TOOL_HANDLE_EXPIRED`
    ToolOutput.Pending delegate(Message message, Duration timeout);

    /// Hands work to an agent and waits for the answer, on the handler's thread, at most until the call's deadline.
    ///
    /// Sends the request at once; it may be answered although this worker dies meanwhile. A handler that runs again
    /// sends it again.
    ///
    /// @throws ToolException `E_AGENT_REQUEST_TIMEOUT` when no answer came in time, or the agent's own failure
    /// @throws InterruptedException when the call is over
    Answer ask(Message message, Duration timeout) throws InterruptedException;

    /// Does what [#ask] does, and returns the agent's response alone.
    default JsonNode request(Message message, Duration timeout) throws InterruptedException {
        return ask(message, timeout).response();
    }

    /// Hands work to an agent; its answer arrives as an event of the calling agent's instance.
    Sent requestLater(Message message);

    /// Sends an event to an agent.
    Sent send(Message message);

    /// Announces an instance of an agent, which the agent's runtime then starts; it belongs to the calling instance.
    ///
    /// @param name of the instance: its key is the caller's own, a slash, and this; null for a new one
    /// @param cwd a folder in the call's [ToolContext#workdir], in which the instance's tools will work; null for a
    ///        folder of its own
    Spawned spawn(String target, @Nullable String name, @Nullable String cwd);

    /// Returns the instances that the calling instance spawned.
    ///
    /// @param all true also includes those that these spawned in turn, and so on
    List<AgentInstance> list(boolean all);

    /// Returns the agents that may be called.
    Directory catalog();

    /// Message to an agent.
    ///
    /// @param target the agent's name
    /// @param input the task or the information
    /// @param instanceKey the instance; null for the caller's own instanceKey
    /// @param name the event's subject; null for the default
    /// @param metadata free; null for none
    record Message(String target, String input, @Nullable String instanceKey, @Nullable String name,
            @Nullable ObjectNode metadata) {
        /// Makes a message to the agent's instance in the same conversation.
        public static Message to(String target, String input) {
            return new Message(target, input, null, null, null);
        }
    }

    /// Answer of an agent.
    ///
    /// @param eventId of the event that carried it
    /// @param correlationId the same in the request and in its answer
    record Answer(String target, JsonNode response, String eventId, String correlationId) {}

    /// Receipt of a sent message.
    ///
    /// @param correlationId of a request
    record Sent(String target, String instanceKey, String eventId, @Nullable String correlationId) {}

    /// Instance of an agent.
    ///
    /// @param spawned false if it existed
    /// @param cwd its folder, relative to the workspace root; null for one of its own
    record Spawned(String target, String instanceKey, boolean spawned, @Nullable String cwd) {}

    /// The agents of the caller's Swarm.
    ///
    /// @param swarm its name; null when the caller belongs to none
    /// @param available all of its agents
    /// @param callable those that the caller may call
    record Directory(@Nullable String swarm, @Nullable String entryAgent, String self, List<String> available,
            List<String> callable) {}
}
