package dev.toolfleet.middleware;

import java.time.Duration;

import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Outcome of a call, which middlewares see and may change.
public sealed interface ToolReply {
    /// The tool returned.
    record Ok(JsonNode output) implements ToolReply {}

    /// The work goes on elsewhere.
    ///
    /// @param heartbeatTimeout the longest silence of the work
    /// @param token the token that a completion must carry
    /// @param target the party that does the work
    record Pending(String handle, JsonNode output, @Nullable Duration heartbeatTimeout,
            @Nullable String token, @Nullable String target) implements ToolReply {
        /// Makes a reply without a target.
        public Pending(String handle, JsonNode output, @Nullable Duration heartbeatTimeout, @Nullable String token) {
            this(handle, output, heartbeatTimeout, token, null);
        }
    }

    /// The call failed.
    record Failed(ToolError error) implements ToolReply {}
}
