package dev.toolfleet.worker.pipeline;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

import dev.toolfleet.tool.AgentToolRuntime;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.agents.AgentSends;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.execute.HandlerCall;
import dev.toolfleet.worker.execute.Workspace;
import dev.toolfleet.worker.record.ProgressReports;
import dev.toolfleet.worker.recovery.Recovery;
import dev.toolfleet.worker.registry.RegisteredTool;
import org.jspecify.annotations.Nullable;

/// Makes what handlers are told of their calls.
///
/// @param ownership knows the group's generation
/// @param defaultTimeout of a handler whose export sets none
/// @param progress takes what handlers say of how far they are
/// @param agents lets handlers speak to agents
public record HandlerCalls(Workspace workspace, Ownership ownership, InstantSource clock, Duration defaultTimeout,
        ProgressReports progress, Agents agents) implements Recovery.Questions {

    /// Without agents.
    public HandlerCalls(Workspace workspace, Ownership ownership, InstantSource clock, Duration defaultTimeout,
            ProgressReports progress) {
        this(workspace, ownership, clock, defaultTimeout, progress, Agents.NONE);
    }

    /// Lets handlers speak to agents.
    @FunctionalInterface
    public interface Agents {
        /// There are none.
        Agents NONE = (call, workdir, deadline, sends) -> null;

        /// Returns the runtime for the handler of a call; null where there are no agents.
        @Nullable
        AgentToolRuntime of(ToolCall call, Supplier<Path> workdir, Instant deadline, AgentSends sends);
    }

    /// For one start of a tool.
    HandlerCall of(CallFacts run, ToolCall call, HandlerCall.Limit limit) {
        return limited(run, call, limit);
    }

    /// The deadline of a call that starts now: the caller's or the tool's, the earlier of both.
    HandlerCall.Limit limit(ToolCall call, RegisteredTool tool) {
        Duration timeout = timeout(tool);
        Instant byTool = clock.instant().plus(timeout);
        Instant byCaller = call.deadline();
        return byCaller != null && byCaller.isBefore(byTool)
                ? new HandlerCall.Limit(byCaller, "set by the caller")
                : new HandlerCall.Limit(byTool, "the tool's timeout of " + timeout.toMillis() + " ms");
    }

    /// The timeout of a tool.
    Duration timeout(RegisteredTool tool) {
        return tool.export().execution().timeout().orElse(defaultTimeout);
    }

    @Override
    public HandlerCall question(CallFacts run, RegisteredTool tool, Duration atMost) {
        Duration timeout = timeout(tool);
        return limited(run, run.call().arrival().call(),
                new HandlerCall.Limit(clock.instant().plus(timeout.compareTo(atMost) < 0 ? timeout : atMost),
                        "the time for reconciling"));
    }

    private HandlerCall limited(CallFacts run, ToolCall call, HandlerCall.Limit limit) {
        // A start repeats the messages of one that failed.
        run.sends().discard();
        return new HandlerCall(call, new HandlerCall.Origin(run.call().arrival().position(),
                run.order(), run.call().arrival().appendedAt(), run.call().identity().text(),
                ownership.current().group().generationId(), run.attempt()), limit,
                workspace, progress.of(run), agents.of(call,
                        () -> workspace.folder(call.agentName(), call.instanceKey()), limit.deadline(), run.sends()));
    }
}
