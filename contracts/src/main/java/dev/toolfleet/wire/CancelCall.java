package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Cancellation of a call, of a step's calls or of the work behind a handle, on `tool.control` by the instanceKey.
///
/// It is state, not a signal: it holds for a day. It applies to calls that are queued, running, pending, read again
/// after a crash, or still on their way.
///
/// A call matches if it has all of the given ids. Model tool-call ids repeat from step to step. So a cancellation with
/// a `toolCallId` and no `stepId` applies only to calls that were written before it.
///
/// @param instanceKey the instance of the calls
/// @param toolCallId one call
/// @param stepId all calls of a step, or the step of that call
/// @param handle one pending call
/// @param by the person or system that cancels
/// @param reason the reason
/// @param agentName the agent whose model called, where several share the instance
/// @param turnId the turn, where step ids repeat
public record CancelCall(String instanceKey, @Nullable String toolCallId, @Nullable String stepId,
        @Nullable String handle, @Nullable String by, @Nullable String reason, @Nullable String agentName,
        @Nullable String turnId) {
    /// Checks that the instance is present.
    public CancelCall {
        requireNonNull(instanceKey, "instanceKey");
    }

    /// True if it names calls; otherwise it cancels nothing.
    public boolean namesCalls() {
        return toolCallId != null || stepId != null || handle != null;
    }

    /// Returns the same for the work behind a handle, for a caller that knows the handle of a call.
    public CancelCall ofHandle(String open) {
        return new CancelCall(instanceKey, null, null, open, by, reason, null, null);
    }

    /// View of a call that a cancellation may match.
    public interface Target {
        /// Returns the call's instance.
        String instanceKey();

        /// Returns the model's id of the call.
        String toolCallId();

        /// Returns the agent whose model called.
        @Nullable
        String agentName();

        /// Returns the call's turn.
        @Nullable
        String turnId();

        /// Returns the call's step.
        @Nullable
        String stepId();

        /// Returns the handle that the call waits for; null when it is not pending.
        @Nullable
        String handle();
    }

    /// True if the cancellation matches this call.
    ///
    /// @param before true if the call was written before this
    public boolean means(Target call, boolean before) {
        return namesCalls() && instanceKey.equals(call.instanceKey()) && fits(handle, call.handle())
                && fits(toolCallId, call.toolCallId()) && fits(stepId, call.stepId())
                && fits(agentName, call.agentName()) && fits(turnId, call.turnId())
                && (before || stepId != null || handle != null);
    }

    /// True if the cancellation matches this call, which is not pending.
    ///
    /// @param before true if the call was written before this
    public boolean means(ToolCall call, boolean before) {
        return means(new Started(call.instanceKey(), call.id(), call.agentName(), call.turnId(), call.stepId(), null),
                before);
    }

    private record Started(String instanceKey, String toolCallId, @Nullable String agentName, @Nullable String turnId,
            @Nullable String stepId, @Nullable String handle) implements Target {}

    private static boolean fits(@Nullable String wanted, @Nullable String actual) {
        return wanted == null || wanted.equals(actual);
    }
}
