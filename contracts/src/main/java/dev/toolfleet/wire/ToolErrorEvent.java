package dev.toolfleet.wire;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// One final error result, for the people who audit and analyse, on `tool.error`. Never holds the arguments.
///
/// @param source who declares the tool; absent when the call never got that far
/// @param sensitive whether the tool accesses sensitive data
/// @param worker which worker saw it
public record ToolErrorEvent(String toolCallId, String toolName, @Nullable ToolSource source, ToolError error,
        String instanceKey, @Nullable String agentName, @Nullable String turnId, @Nullable String stepId,
        @Nullable String userId, @Nullable String channelId, int attempt, @Nullable Timing timing,
        @Nullable String fingerprint, @Nullable String catalogDigest, @Nullable String policyDigest, boolean sensitive,
        @Nullable String traceId, String worker, Instant occurredAt) {
    /// Checks that the event says what failed where and when.
    public ToolErrorEvent {
        requireNonNull(toolCallId, "toolCallId");
        requireNonNull(toolName, "toolName");
        requireNonNull(error, "error");
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(worker, "worker");
        requireNonNull(occurredAt, "occurredAt");
    }
}
