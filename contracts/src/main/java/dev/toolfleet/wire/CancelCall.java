package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Somebody no longer wants a call, a step's calls or the work behind a handle, on `tool.control`.
///
/// @param toolCallId one call
/// @param stepId all calls of a step
/// @param handle one pending call
/// @param by who says so
/// @param reason why
public record CancelCall(String instanceKey, @Nullable String toolCallId, @Nullable String stepId,
        @Nullable String handle, @Nullable String by, @Nullable String reason) {
    /// Checks that the target can be found.
    public CancelCall {
        requireNonNull(instanceKey, "instanceKey");
    }
}
