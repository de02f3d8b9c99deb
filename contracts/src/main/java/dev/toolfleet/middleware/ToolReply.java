package dev.toolfleet.middleware;

import java.time.Duration;

import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// How a call ended, as middlewares see and change it.
public sealed interface ToolReply {
    /// The tool returned.
    record Ok(JsonNode output) implements ToolReply {}

    /// The work goes on elsewhere.
    ///
    /// @param heartbeatTimeout how long the work may stay silent
    /// @param token what a completion must carry
    record Pending(String handle, JsonNode output, @Nullable Duration heartbeatTimeout,
            @Nullable String token) implements ToolReply {}

    /// The call failed.
    record Failed(ToolError error) implements ToolReply {}
}
