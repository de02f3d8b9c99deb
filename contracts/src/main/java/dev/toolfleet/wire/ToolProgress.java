package dev.toolfleet.wire;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/// How far a running or pending call is, on `tool.progress`.
///
/// @param handle
///            present for a pending call
public record ToolProgress(String toolCallId, String toolName, @Nullable String handle, String instanceKey,
        @Nullable String agentName, @Nullable String turnId, @Nullable String stepId, Progress progress, Instant at) {}
