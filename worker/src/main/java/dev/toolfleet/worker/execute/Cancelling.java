package dev.toolfleet.worker.execute;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.telemetry.Meters;
import org.jspecify.annotations.Nullable;

/// What the caller of a cancelled call is told, and who counts it. Thread-safe.
public final class Cancelling {
    private final Source source;
    private final Meters meters;

    /// Asks `source`, counts in `meters`.
    public Cancelling(Source source, Meters meters) {
        this.source = source;
        this.meters = meters;
    }

    /// Knows what was cancelled.
    @FunctionalInterface
    public interface Source {
        /// Nobody cancels anything.
        Source NONE = (call, calledAt) -> null;

        /// The cancellation that means this call; null when there is none. Does not wait.
        ///
        /// @param calledAt when the call was appended, in epoch milliseconds
        @Nullable
        CancelCall of(ToolCall call, long calledAt);
    }

    /// The cancellation that means this call; null when there is none.
    ///
    /// @param calledAt when the call was appended, in epoch milliseconds
    public @Nullable CancelCall of(ToolCall call, long calledAt) {
        return source.of(call, calledAt);
    }

    /// The end of a call whose handler never started.
    public ToolReply unstarted(CancelCall cancel) {
        meters.callCancelled(Meters.Cancelled.UNSTARTED);
        return new ToolReply.Failed(error(cancel, "before it started")
                .suggesting("The call did not happen. Do not repeat it unless the user asks for it."));
    }

    /// The end of a call whose handler was interrupted.
    ///
    /// @param repeatable whether it may run again without harm
    static ToolReply interrupted(CancelCall cancel, boolean repeatable) {
        ToolError error = error(cancel, "while it ran");
        return new ToolReply.Failed(repeatable
                ? error
                : error.suggesting("The call may have happened in part. Check before you repeat it or build on it,"
                        + " and repeat it only if the user asks for it."));
    }

    /// A call ended so.
    void interrupted() {
        meters.callCancelled(Meters.Cancelled.RUNNING);
    }

    private static ToolError error(CancelCall cancel, String when) {
        String by = cancel.by() == null || cancel.by().isBlank() ? "" : " by " + cancel.by();
        String why = cancel.reason() == null || cancel.reason().isBlank() ? "." : ": " + cancel.reason();
        return ToolError.of(ErrorCode.E_TOOL_CANCELLED, "The call was cancelled" + by + " " + when + why);
    }
}
