package dev.toolfleet.middleware;

import dev.toolfleet.tool.ToolContext.Caller;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A call on its way through the onion. Owned by the call's thread.
public interface ToolCallContext {
    /// The agent whose model called.
    @Nullable
    String agentName();

    /// The conversation.
    String instanceKey();

    /// The turn.
    @Nullable
    String turnId();

    /// The step.
    @Nullable
    String stepId();

    /// The step's number in its turn.
    @Nullable
    Integer stepIndex();

    /// For correlation.
    @Nullable
    String traceId();

    /// The tool that was called.
    String toolName();

    /// The model's id of the call.
    String toolCallId();

    /// For whom the agent acts.
    Caller caller();

    /// The arguments as the layers so far left them.
    JsonNode args();

    /// Replaces the arguments for the layers further in.
    void args(JsonNode args);

    /// Free notes that travel with the call, never to the handler; mutable.
    ObjectNode metadata();
}
