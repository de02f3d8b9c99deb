package dev.toolfleet.worker.pipeline;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bundle.BreakerSpec;
import dev.toolfleet.bundle.RetrySpec;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.limit.BreakerSignal;

/// Judgement of a handler's reply: the health of its tool, and whether to start it again. Pure.
final class RetryRules {
    /// Codes by which a handler blames the caller, and those of calls that were ended from outside.
    private static final Set<String> NOT_THE_TOOLS = Set.of(ErrorCode.E_TOOL_INVALID_ARGS.name(),
            ErrorCode.E_TOOL_DENIED.name(), ErrorCode.E_TOOL_NOT_FOUND.name(),
            ErrorCode.E_TOOL_NOT_IN_CATALOG.name(), ErrorCode.E_TOOL_CANCELLED.name(),
            ErrorCode.E_TOOL_OUTCOME_UNKNOWN.name());
    /// Errors that a second start cannot change, or that came at the deadline.
    private static final Set<String> NOT_AGAIN = Set.of(ErrorCode.E_TOOL_RESULT_INVALID.name(),
            ErrorCode.E_TOOL_RESULT_TOO_LARGE.name(), ErrorCode.E_TOOL_TIMEOUT.name());

    private RetryRules() {}

    /// @param callersDeadline whether the caller set the deadline that counted
    static BreakerSignal of(ToolReply reply, ToolExport export, boolean callersDeadline) {
        return switch (reply) {
            case ToolReply.Ok _,ToolReply.Pending _ -> BreakerSignal.SUCCEEDED;
            case ToolReply.Failed(ToolError error) -> isTheTools(error.code(), export, callersDeadline)
                    ? BreakerSignal.FAILED
                    : BreakerSignal.UNCOUNTED;
        };
    }

    private static boolean isTheTools(String code, ToolExport export, boolean callersDeadline) {
        if (NOT_THE_TOOLS.contains(code) || (callersDeadline && code.equals(ErrorCode.E_TOOL_TIMEOUT.name())))
            return false;
        return !export.execution().limits().circuitBreaker().map(BreakerSpec::ignore).orElse(Set.of()).contains(code);
    }

    /// The wait before the next start; empty when there is none.
    ///
    /// @param starts how many there were
    /// @param left until the deadline
    /// @param chance from 0 to 1
    static Optional<Duration> again(ToolReply reply, ToolExport export, int starts, Duration left, double chance) {
        RetrySpec retry = export.execution().retry().orElse(null);
        if (retry == null || !export.annotations().repeatable() || starts >= retry.maxAttempts()
                || !(reply instanceof ToolReply.Failed(ToolError error)) || !isFor(retry, error.code(), export))
            return Optional.empty();
        return Optional.of(retry.before(starts, chance)).filter(wait -> wait.compareTo(left) < 0);
    }

    private static boolean isFor(RetrySpec retry, String code, ToolExport export) {
        if (!retry.retryOn().isEmpty())
            return retry.retryOn().contains(code) && !code.equals(ErrorCode.E_TOOL_CANCELLED.name());
        return isTheTools(code, export, true) && !NOT_AGAIN.contains(code);
    }
}
