package dev.toolfleet.middleware;

import dev.toolfleet.tool.CallInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Call on its way through the onion. Its arguments and notes are owned by the call's thread.
public interface ToolCallContext extends CallInfo {
    /// Returns the step's number in its turn.
    @Nullable
    Integer stepIndex();

    /// Returns the tool that was called.
    String toolName();

    /// Returns the arguments as the earlier layers left them.
    JsonNode args();

    /// Replaces the arguments for the layers further in.
    void args(JsonNode args);

    /// Returns free notes that travel with the call, never to the handler; mutable.
    ObjectNode metadata();
}
