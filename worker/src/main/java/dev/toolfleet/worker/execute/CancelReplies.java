package dev.toolfleet.worker.execute;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.jspecify.annotations.Nullable;

/// Results of cancelled calls, and their count. Thread-safe.
public final class CancelReplies {
    private final Source source;
    private final WorkerMeters meters;

    /// Reads cancellations from `source` and counts in `meters`.
    public CancelReplies(Source source, WorkerMeters meters) {
        this.source = source;
        this.meters = meters;
    }

    /// Source of cancellations.
    @FunctionalInterface
    public interface Source {
        /// Never cancels a call.
        Source NONE = (call, calledAt, at) -> null;

        /// Returns the reason why this call must end; null if there is none. Does not wait.
        ///
        /// @param calledAt append time of the call, in epoch milliseconds
        /// @param at place of the call on `tool.call`
        @Nullable
        EndOrder of(ToolCall call, long calledAt, Position at);
    }

    /// Returns the reason why this call must end; null if there is none.
    ///
    /// @param calledAt append time of the call, in epoch milliseconds
    /// @param at place of the call on `tool.call`
    public @Nullable EndOrder of(ToolCall call, long calledAt, Position at) {
        return source.of(call, calledAt, at);
    }

    /// Returns the result of a call whose handler never started, and counts it.
    public ToolReply unstarted(EndOrder cancel) {
        meters.callCancelled(WorkerMeters.Cancelled.UNSTARTED);
        return new ToolReply.Failed(error(cancel, "before it started")
                .suggesting("The call did not happen. Do not repeat it unless the user asks for it."));
    }

    /// Returns the result of a call whose handler was interrupted.
    ///
    /// @param repeatable whether it may run again without harm
    public static ToolReply interrupted(EndOrder cancel, boolean repeatable) {
        if (cancel.failed() && !repeatable)
            return new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_OUTCOME_UNKNOWN,
                    told(cancel) + "It had started, and may have happened in full, in part or not at all."));
        ToolError error = error(cancel, "while it ran");
        return new ToolReply.Failed(repeatable
                ? error
                : error.suggesting("The call may have happened in part. Check before you repeat it or build on it,"
                        + " and repeat it only if the user asks for it."));
    }

    /// Returns the result of a call that an earlier owner of its partition began.
    public static ToolReply begun(EndOrder cancel) {
        return interrupted(cancel, false);
    }

    /// Counts a call whose handler was interrupted.
    public void interrupted() {
        meters.callCancelled(WorkerMeters.Cancelled.RUNNING);
    }

    private static ToolError error(EndOrder cancel, String when) {
        String how = cancel.failed()
                ? "The call was ended by an operator, to free its lane,"
                : "The call was cancelled";
        return ToolError.of(ErrorCode.E_TOOL_CANCELLED, how + by(cancel) + " " + when
                + (why(cancel).isEmpty() ? "." : ": " + why(cancel)));
    }

    private static String told(EndOrder cancel) {
        return "The call was ended by an operator, to free its lane" + by(cancel)
                + (why(cancel).isEmpty() ? ". " : " (" + why(cancel) + "). ");
    }

    private static String by(EndOrder cancel) {
        return cancel.by() == null || cancel.by().isBlank() ? "" : " by " + cancel.by();
    }

    private static String why(EndOrder cancel) {
        return cancel.reason() == null ? "" : cancel.reason().strip();
    }
}
