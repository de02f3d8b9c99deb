package dev.toolfleet.worker.execute;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Future;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.registry.RegisteredTool;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Runs a handler on the call's own thread until its deadline: then it is interrupted, and when it ignores that for a
/// grace, somebody else answers for it.
public final class HandlerExecutor {
    /// How long a handler may go on after its interrupt before its lane moves on without it.
    public static final Duration GRACE = Duration.ofSeconds(2);

    private final DeadlineLoop deadlines;
    private final RunningHandlers running;
    private final AbandonedHandlers stubborn;
    private final Ownership ownership;
    private final InstantSource clock;
    private final Duration grace;

    /// An executor with its own view of the time.
    ///
    /// @param stubborn told of handlers that ignore their interrupt
    /// @param ownership a handler whose call is not in it does not start
    /// @param grace after the interrupt; [#GRACE] but for tests
    public HandlerExecutor(DeadlineLoop deadlines, RunningHandlers running, AbandonedHandlers stubborn,
            Ownership ownership, InstantSource clock, Duration grace) {
        this.deadlines = deadlines;
        this.running = running;
        this.stubborn = stubborn;
        this.ownership = ownership;
        this.clock = clock;
        this.grace = grace;
    }

    /// Runs the handler.
    ///
    /// @param call what the handler may know
    /// @param abandoned told, on the deadline thread, when the handler ignores its interrupt
    public HandlerResult run(RegisteredTool tool, HandlerCall call, ObjectNode input, Abandonment abandoned) {
        Duration left = Duration.between(clock.instant(), call.deadline());
        if (!left.isPositive()) {
            return new HandlerResult.Replied(new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_TIMEOUT,
                    "The call's deadline " + call.deadline() + " passed before it could start; it was not started.")
                    .suggesting("The call did not happen. Call again with a later deadline.")), 0);
        }
        Interruption interruption = new Interruption();
        boolean repeatable = tool.export().annotations().repeatable();
        running.add(call.position(), interruption, repeatable);
        // Asked after it was noted. Whoever gives partitions up, or stops, does the opposite: says so, then interrupts
        // what is noted. So a call that is given up meanwhile is seen by one of the two.
        if (running.stopped(repeatable) || !ownership.current().owns(call.position())) {
            running.remove(call.position());
            interruption.end();
            return new HandlerResult.Left(false);
        }
        call.interruptedBy(interruption::interrupted);
        long started = System.nanoTime();
        Future<?> deadline = deadlines.after(left, () -> interruption.interrupt(Interruption.Cause.DEADLINE));
        Future<?> abandonment = deadlines.after(left.plus(grace), () -> {
            if (interruption.abandon()) {
                stubborn.abandoned(call, since(started));
                abandoned.answer(timedOut(call));
            }
        });
        ToolOutput output = null;
        Throwable failure = null;
        Interruption.Cause cause;
        try {
            output = tool.handler().handle(call, input);
        } catch (Throwable e) {
            failure = e;
        } finally {
            cause = interruption.end();
            running.remove(call.position());
            deadline.cancel(false);
            abandonment.cancel(false);
            if (interruption.abandoned())
                stubborn.ended(call, since(started));
        }
        return result(tool, call, new Ended(cause, output, failure, since(started).toMillis()));
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /// Answers for a handler that does not end.
    @FunctionalInterface
    public interface Abandonment {
        /// Publishes the reply and lets the lane go on.
        void answer(ToolReply reply);
    }

    private record Ended(Interruption.@Nullable Cause cause, @Nullable ToolOutput output, @Nullable Throwable failure,
            long millis) {}

    private static HandlerResult result(RegisteredTool tool, HandlerCall call, Ended ended) {
        return switch (ended.cause()) {
            case null -> {
                Throwable failure = ended.failure();
                ToolReply reply = failure == null
                        ? Replies.of(ended.output(), tool.export().execution().async().isPresent())
                        : new ToolReply.Failed(Replies.error(failure));
                yield new HandlerResult.Replied(reply, ended.millis());
            }
            case DEADLINE -> new HandlerResult.Replied(timedOut(call), ended.millis());
            case REVOKED -> interrupted(tool, ended, "The worker lost the call's partition and interrupted it.");
            case SHUTDOWN -> interrupted(tool, ended, "The worker stopped while the call ran, and interrupted it.");
        };
    }

    /// What may run again is left to the next owner; of anything else the caller must know that it may have happened.
    private static HandlerResult interrupted(RegisteredTool tool, Ended ended, String why) {
        if (tool.export().annotations().repeatable())
            return new HandlerResult.Left(true);
        return new HandlerResult.Replied(
                new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_OUTCOME_UNKNOWN, why)), ended.millis());
    }

    private static ToolReply timedOut(HandlerCall call) {
        Instant deadline = requireNonNull(call.deadline());
        return new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_TIMEOUT,
                "Tool '" + call.toolName() + "' did not finish before its deadline " + deadline + " (" + call.limit()
                        + ")."));
    }
}
