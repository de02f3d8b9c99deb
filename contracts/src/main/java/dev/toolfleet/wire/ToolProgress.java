package dev.toolfleet.wire;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Progress of a running or pending call, on `tool.progress`.
///
/// @param handle present for a pending call
public record ToolProgress(String toolCallId, String toolName, @Nullable String handle, String instanceKey,
        @Nullable String agentName, @Nullable String turnId, @Nullable String stepId, Progress progress, Instant at) {
    /// Checks that call and progress are present.
    public ToolProgress {
        requireNonNull(toolCallId, "toolCallId");
        requireNonNull(toolName, "toolName");
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(progress, "progress");
        requireNonNull(at, "at");
    }
}
