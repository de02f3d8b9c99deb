package dev.toolfleet.worker.completion;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolError;

/// Outcomes of pending calls. They contain no token, because others read them. Pure.
final class PendingOutcomes {

    private PendingOutcomes() {}

    /// Makes the outcome that the sender of an end reports.
    static HandleEffect.Outcome said(PendingCall call, Completion end) {
        String handle = call.handle();
        return switch (end.kind()) {
            case COMPLETED -> new HandleEffect.Outcome(call, Completion.completed(handle, end.output(), null),
                    CallEnd.COMPLETED);
            case FAILED -> failed(call, end.error() == null
                    ? ToolError.of(ErrorCode.E_TOOL, "The work failed.")
                    : end.error(), CallEnd.FAILED);
            case CANCELLED -> cancelled(call, end.error() == null ? "The work was given up." : end.error().message());
            case PROGRESS, UNKNOWN -> throw new IllegalArgumentException("no end: " + end.kind().text());
        };
    }

    /// Makes the outcome of a cancelled call.
    static HandleEffect.Outcome cancelled(PendingCall call, CancelCall cancel) {
        String by = cancel.by() == null ? "" : " by " + cancel.by();
        String why = cancel.reason() == null ? "." : ": " + cancel.reason();
        return cancelled(call, "The call was cancelled" + by + why);
    }

    /// Makes the outcome of a call whose end was not reported by its deadline.
    static HandleEffect.Outcome overdue(PendingCall call) {
        return failed(call, ToolError.of(ErrorCode.E_TOOL_HANDLE_EXPIRED,
                "The work" + waitedFor(call) + " did not report its end by its deadline " + call.deadline() + "."),
                CallEnd.EXPIRED);
    }

    /// Makes the outcome of a call whose work was silent for its heartbeat timeout.
    static HandleEffect.Outcome silent(PendingCall call, Instant since, Duration timeout) {
        return failed(call, ToolError.of(ErrorCode.E_TOOL_HANDLE_EXPIRED, "The work of '" + call.call().name()
                + "'" + waitedFor(call) + " has been silent since " + since
                + ", for longer than its heartbeat timeout of "
                + timeout.toMillis() + " ms."), CallEnd.EXPIRED);
    }

    private static String waitedFor(PendingCall call) {
        return call.target() == null ? "" : ", by " + call.target() + ",";
    }

    /// Makes the outcome of an approved call that is not stored any more: its record was lost or cannot be read.
    static HandleEffect.Outcome withoutCall(HandleEffect.Approved approved) {
        return failed(approved.call(), ToolError.of(ErrorCode.E_TOOL_DENIED, "The call was approved, but its record"
                + " cannot be read any more; it was not run."), CallEnd.REJECTED);
    }

    /// Makes the outcome of a call whose handle belongs to another call.
    static HandleEffect.Outcome conflict(PendingCall later) {
        return failed(bare(later), ToolError.of(ErrorCode.E_TOOL_HANDLE_CONFLICT,
                "Another call holds, or held in the last seven days, the handle that the tool answered with."),
                CallEnd.CONFLICT);
    }

    /// Makes the outcome of a call whose handle has a state that this version cannot read.
    static HandleEffect.Outcome unreadable(PendingCall call) {
        return failed(bare(call), ToolError.of(ErrorCode.E_TOOL_OUTCOME_UNKNOWN, "The work goes on elsewhere, but the"
                + " state of its handle was written by another version and cannot be read by this one."),
                CallEnd.CONFLICT);
    }

    /// Makes the outcome of a call whose record on `tool.pending` cannot be kept.
    ///
    /// @param tooLarge whether only its size is wrong
    static HandleEffect.Outcome unusable(PendingCall call, boolean tooLarge, String reason) {
        ToolError error = switch (call.kind()) {
            case ASYNC, UNKNOWN ->
                ToolError.of(tooLarge ? ErrorCode.E_TOOL_RESULT_TOO_LARGE : ErrorCode.E_TOOL_OUTCOME_UNKNOWN,
                        "The tool returned a handle, but the call cannot be kept until the handle is completed: "
                                + reason
                                + ".");
            case APPROVAL, AUTHORIZATION -> ToolError
                    .of(tooLarge ? ErrorCode.E_TOOL_RESULT_TOO_LARGE : ErrorCode.E_TOOL_DENIED,
                            "A person has to approve or authorize the call, but it cannot be kept until then: " + reason
                                    + "; it was not started.")
                    .suggesting("The call did not happen. If it is large, call again with smaller arguments.");
        };
        return failed(bare(call), error, CallEnd.FAILED);
    }

    /// Returns the call without the parts that its outcome does not need: it may be large.
    static PendingCall bare(PendingCall call) {
        return call.forCall(call.call().bare(), null);
    }

    private static HandleEffect.Outcome cancelled(PendingCall call, String message) {
        return new HandleEffect.Outcome(call, Completion.cancelled(call.handle(),
                ToolError.of(ErrorCode.E_TOOL_CANCELLED, message), null), CallEnd.CANCELLED);
    }

    private static HandleEffect.Outcome failed(PendingCall call, ToolError error, CallEnd how) {
        return new HandleEffect.Outcome(call, Completion.failed(call.handle(), error, null), how);
    }
}
