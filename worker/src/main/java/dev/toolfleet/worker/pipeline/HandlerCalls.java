package dev.toolfleet.worker.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.execute.HandlerCall;
import dev.toolfleet.worker.execute.Workspace;
import dev.toolfleet.worker.registry.RegisteredTool;

/// Makes what handlers are told of their calls.
///
/// @param ownership tells the group's generation
/// @param defaultTimeout of a handler whose export sets none
/// @param progress takes what handlers say of how far they are
public record HandlerCalls(Workspace workspace, Ownership ownership, InstantSource clock, Duration defaultTimeout,
        ProgressReports progress) {

    /// For one start of a tool: the deadline is the caller's or the tool's, whichever comes first.
    HandlerCall of(CallRun run, ToolCall call, RegisteredTool tool) {
        return until(run, call, tool.export().execution().timeout().orElse(defaultTimeout), "the tool's timeout of ");
    }

    /// For a question to a tool's module, which the caller's deadline does not limit: the call may have happened.
    HandlerCall question(CallRun run, RegisteredTool tool, Duration atMost) {
        Duration timeout = tool.export().execution().timeout().orElse(defaultTimeout);
        return limited(run, run.call().arrival().call(),
                new HandlerCall.Limit(clock.instant().plus(timeout.compareTo(atMost) < 0 ? timeout : atMost),
                        "the time for reconciling"));
    }

    private HandlerCall until(CallRun run, ToolCall call, Duration timeout, String reason) {
        Instant byTool = clock.instant().plus(timeout);
        Instant byCaller = call.deadline();
        return limited(run, call, byCaller != null && byCaller.isBefore(byTool)
                ? new HandlerCall.Limit(byCaller, "set by the caller")
                : new HandlerCall.Limit(byTool, reason + timeout.toMillis() + " ms"));
    }

    private HandlerCall limited(CallRun run, ToolCall call, HandlerCall.Limit limit) {
        return new HandlerCall(call, new HandlerCall.Origin(run.call().arrival().position(),
                run.order(), run.call().arrival().appendedAt(), run.call().identity().text(),
                ownership.current().group().generationId(), run.attempt()), limit,
                workspace, progress.of(run));
    }
}
