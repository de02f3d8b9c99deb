package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Call in a session's messages without a final result, in a [SessionState].
///
/// @param toolCallId the model's id
/// @param toolName the called tool
/// @param stepId the step of the call, if known
/// @param handle names the wait of a pending call
/// @param requested true when the call stands on `tool.call`; false when only a message has it so far
public record AwaitedCall(String toolCallId, String toolName, @Nullable String stepId, @Nullable String handle,
        boolean requested) {
    /// Checks that the call is named.
    public AwaitedCall {
        requireNonNull(toolCallId, "toolCallId");
        requireNonNull(toolName, "toolName");
    }

    /// True for the call with this id in this step. An unknown step fits every step.
    public boolean isOf(String callId, @Nullable String step) {
        return toolCallId.equals(callId) && (step == null || stepId == null || stepId.equals(step));
    }
}
