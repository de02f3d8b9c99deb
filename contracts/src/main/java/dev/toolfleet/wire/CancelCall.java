package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Somebody no longer wants a call, a step's calls or the work behind a handle, on `tool.control` by the instanceKey. It
/// is state, not a signal: it holds for a day, for calls that are queued, running, pending, read again after a crash, or
/// still on their way.
///
/// What it names narrows it down: calls match that have all of the ids given. Model tool-call ids repeat from step to
/// step, so one with a `toolCallId` and no `stepId` concerns only calls that were written before it.
///
/// @param instanceKey whose calls
/// @param toolCallId one call
/// @param stepId all calls of a step, or the step of that call
/// @param handle one pending call
/// @param by who says so
/// @param reason why
/// @param agentName the agent whose model called, where several share the instance
/// @param turnId the turn, where step ids repeat
public record CancelCall(String instanceKey, @Nullable String toolCallId, @Nullable String stepId,
        @Nullable String handle, @Nullable String by, @Nullable String reason, @Nullable String agentName,
        @Nullable String turnId) {
    /// Checks that the target can be found.
    public CancelCall {
        requireNonNull(instanceKey, "instanceKey");
    }

    /// Whether it says which calls are meant; one that does not cancels nothing.
    public boolean namesCalls() {
        return toolCallId != null || stepId != null || handle != null;
    }

    /// The same of the work behind a handle, for whoever knows what a call waits for.
    public CancelCall ofHandle(String open) {
        return new CancelCall(instanceKey, null, null, open, by, reason, null, null);
    }

    /// What a cancellation may mean.
    public interface Target {
        /// The call's instance.
        String instanceKey();

        /// The model's id of the call.
        String toolCallId();

        /// The agent whose model called.
        @Nullable
        String agentName();

        /// The call's turn.
        @Nullable
        String turnId();

        /// The call's step.
        @Nullable
        String stepId();

        /// What the call waits for; null when it is not pending.
        @Nullable
        String handle();
    }

    /// Whether this is meant.
    ///
    /// @param before whether the call was written before this
    public boolean means(Target call, boolean before) {
        return namesCalls() && instanceKey.equals(call.instanceKey()) && fits(handle, call.handle())
                && fits(toolCallId, call.toolCallId()) && fits(stepId, call.stepId())
                && fits(agentName, call.agentName()) && fits(turnId, call.turnId())
                && (before || stepId != null || handle != null);
    }

    /// Whether this call is meant, which is not pending.
    ///
    /// @param before whether the call was written before this
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
