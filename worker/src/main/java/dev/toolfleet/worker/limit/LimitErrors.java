package dev.toolfleet.worker.limit;

import java.time.Duration;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.wire.ToolError;

/// Errors for calls that a limit keeps from starting. Pure.
final class LimitErrors {
    private static final String NOT_HAPPENED = "The call did not happen. ";

    private LimitErrors() {}

    static ToolError rate(String tool, double perSecond, Duration wait) {
        return ToolError.of(ErrorCode.E_TOOL_RATE_LIMITED, "Tool '" + tool + "' may start " + number(perSecond)
                + " times a second on a worker (limits.ratePerSecond), and too many calls came before this one: it"
                + " could not start in time; it was not started.")
                .suggesting(NOT_HAPPENED + "Try again in " + seconds(wait) + ".");
    }

    static ToolError open(String tool, Duration left) {
        if (!left.isPositive()) {
            return ToolError.of(ErrorCode.E_TOOL_CIRCUIT_OPEN, "Tool '" + tool + "' kept failing"
                    + " (limits.circuitBreaker), and one call finds out now whether it works again; this one was not"
                    + " started.").suggesting(NOT_HAPPENED + "Use another tool, or try again in some seconds.");
        }
        return ToolError.of(ErrorCode.E_TOOL_CIRCUIT_OPEN, "Tool '" + tool + "' keeps failing, so it is not called for "
                + seconds(left) + " (limits.circuitBreaker); this call was not started.")
                .suggesting(NOT_HAPPENED + "Use another tool, or try again in " + seconds(left) + ".");
    }

    static ToolError deadline(String tool, int most) {
        return ToolError
                .of(ErrorCode.E_TOOL_TIMEOUT, "The call's deadline passed while it waited for one of the " + most
                        + " slots that tool '" + tool + "' has on a worker (limits.maxConcurrent); it was not started.")
                .suggesting(NOT_HAPPENED + "Call again with a later deadline, or with less work at once.");
    }

    private static String number(double rate) {
        return rate == Math.rint(rate) ? Long.toString((long) rate) : Double.toString(rate);
    }

    /// Formats a wait, rounded up: a call that comes earlier would be refused again.
    private static String seconds(Duration wait) {
        long seconds = Math.max(1, wait.plusNanos(999_999_999).toSeconds());
        return seconds == 1 ? "a second" : seconds + " seconds";
    }
}
