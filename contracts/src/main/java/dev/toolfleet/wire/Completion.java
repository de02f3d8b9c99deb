package dev.toolfleet.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNull;

/// What long-running work says about itself, on `tool.completion` by its handle.
///
/// @param output with `completed`
/// @param error with `failed` and, optionally, `cancelled`
/// @param progress with `progress`
/// @param token proves that the sender may complete the handle, where the call demands one
public record Completion(String handle, Kind kind, @Nullable JsonNode output, @Nullable ToolError error,
        @Nullable Progress progress, @Nullable String token) {
    /// Checks that the completion says of what it is one.
    public Completion {
        requireNonNull(handle, "handle");
        requireNonNull(kind, "kind");
    }

    /// What happened.
    public enum Kind {
        /// The work is done.
        @JsonProperty("completed")
        COMPLETED,
        /// The work failed.
        @JsonProperty("failed")
        FAILED,
        /// The work was given up.
        @JsonProperty("cancelled")
        CANCELLED,
        /// The work goes on.
        @JsonProperty("progress")
        PROGRESS
    }
}
