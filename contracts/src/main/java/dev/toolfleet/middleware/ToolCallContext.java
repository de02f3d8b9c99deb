package dev.toolfleet.middleware;

import dev.toolfleet.tool.ToolContext.Caller;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Call on its way through the onion. Owned by the call's thread.
public interface ToolCallContext {
    /// Returns the agent whose model called.
    @Nullable
    String agentName();

    /// Returns the conversation.
    String instanceKey();

    /// Returns the turn.
    @Nullable
    String turnId();

    /// Returns the step.
    @Nullable
    String stepId();

    /// Returns the step's number in its turn.
    @Nullable
    Integer stepIndex();

    /// Returns the trace id, for correlation.
    @Nullable
    String traceId();

    /// Returns the tool that was called.
    String toolName();

    /// Returns the model's id of the call.
    String toolCallId();

    /// Returns the person for whom the agent acts.
    Caller caller();

    /// Returns the arguments as the earlier layers left them.
    JsonNode args();

    /// Replaces the arguments for the layers further in.
    void args(JsonNode args);

    /// Returns free notes that travel with the call, never to the handler; mutable.
    ObjectNode metadata();
}
