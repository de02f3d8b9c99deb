package dev.toolfleet.worker.execute;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.registry.RegisteredTool;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Runs a handler on the call's own thread until its deadline, or until somebody cancels the call: then it is
/// interrupted, and when it ignores that for a grace, somebody else answers for it.
///
/// **Cancellations.** A start is two steps: (1) the handler is noted in [RunningHandlers], (2) [Cancelling] is asked.
/// A cancellation is two steps in the opposite order: (a) [Cancelling] can find it, (b) what is noted is asked whether it
/// is meant, and interrupted. So
///
/// - a before 2: the call is not started. When b finds it noted, its interrupt goes to a handler that is not there, and
///   is cleared.
/// - 2 before a, and so 1 before b: b interrupts the handler. It may not have begun; then it begins interrupted.
/// - b before 1: then a came before 2. There is nothing to interrupt, and nothing starts.
///
/// Deadline, cancellation, loss of the partition and shutdown may come at once: the first interrupts and is the cause,
/// and the others find it interrupted. A call that is left to the next owner of its partition, because the loss came
/// first, is found cancelled there. After the end of the handler an interrupt does nothing.
///
/// A handler that answers although it was cancelled was quicker: its answer stands.
public final class HandlerExecutor {
    /// How long a handler may go on after its interrupt before its lane moves on without it.
    public static final Duration GRACE = Duration.ofSeconds(2);
    /// From which run time on a handler that may run again is not begun anew because its partition moves.
    static final Duration LONG = Duration.ofSeconds(2);

    private final DeadlineLoop deadlines;
    private final RunningHandlers running;
    private final AbandonedHandlers stubborn;
    private final Ownership ownership;
    private final Cancelling cancelling;
    private final InstantSource clock;
    private final Duration grace;
    private final LongSupplier nanos;

    /// An executor with its own view of the time.
    ///
    /// @param stubborn told of handlers that ignore their interrupt
    /// @param ownership a handler whose call is not in it does not start
    /// @param cancelling tells whose calls nobody wants any more; who cancels must make that known to it first, and then
    /// to `running`
    /// @param grace after the interrupt; [#GRACE] but for tests
    /// @param nanos `System.nanoTime`
    public HandlerExecutor(DeadlineLoop deadlines, RunningHandlers running, AbandonedHandlers stubborn,
            Ownership ownership, Cancelling cancelling, InstantSource clock, Duration grace, LongSupplier nanos) {
        this.deadlines = deadlines;
        this.running = running;
        this.stubborn = stubborn;
        this.ownership = ownership;
        this.cancelling = cancelling;
        this.clock = clock;
        this.grace = grace;
        this.nanos = nanos;
    }

    /// Runs the handler.
    ///
    /// @param call what the handler may know
    /// @param abandoned told, on the deadline thread, when the handler ignores its interrupt
    public HandlerResult run(RegisteredTool tool, HandlerCall call, ObjectNode input, Abandonment abandoned) {
        return run(tool, call, input, abandoned, cancelling::of);
    }

    /// The same for a question about a call, which is asked although somebody has cancelled the call.
    HandlerResult ask(RegisteredTool tool, HandlerCall call, ObjectNode input, Abandonment abandoned) {
        return run(tool, call, input, abandoned, Cancelling.Source.NONE);
    }

    private HandlerResult run(RegisteredTool tool, HandlerCall call, ObjectNode input, Abandonment abandoned,
            Cancelling.Source cancelled) {
        Duration left = Duration.between(clock.instant(), call.deadline());
        if (!left.isPositive()) {
            return new HandlerResult.Replied(new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_TIMEOUT,
                    "The call's deadline " + call.deadline() + " passed before it could start; it was not started.")
                    .suggesting("The call did not happen. Call again with a later deadline.")), 0);
        }
        Interruption interruption = new Interruption();
        boolean repeatable = tool.export().annotations().repeatable();
        long started = nanos.getAsLong();
        Instant longFrom = clock.instant().plus(LONG);
        Runnable giveUp = () -> {
            if (interruption.abandon()) {
                call.ended();
                stubborn.abandoned(call.call(), since(started));
                abandoned.answer(lastWord(call, interruption.cancelledBy(), repeatable));
            }
        };
        running.add(call.position(),
                new RunningHandlers.Running(interruption, repeatable, call.instanceKey(), call.note(),
                        () -> !clock.instant().isBefore(longFrom), () -> {
                            Unwanted by = cancelled.of(call.call(), call.calledAt(), call.position());
                            if (by != null && interruption.cancel(by)) {
                                var _ = deadlines.after(grace, giveUp);
                            }
                        }));
        // Asked after it was noted. Whoever gives partitions up, stops or cancels does the opposite: says so, then
        // interrupts what is noted. So a call that is given up or cancelled meanwhile is seen by one of the two.
        HandlerResult unstarted = unstarted(call, repeatable, cancelled);
        if (unstarted != null) {
            running.remove(call.position());
            interruption.end();
            call.ended();
            return unstarted;
        }
        interruption.begin();
        call.interruptedBy(interruption::interrupted);
        DeadlineLoop.Alarm deadline = deadlines.after(left, () -> {
            interruption.interrupt(Interruption.Cause.DEADLINE);
            // Hardly any handler needs it. One that has ended by then is not given up.
            var _ = deadlines.after(grace, giveUp);
        });
        ToolOutput output = null;
        Throwable failure = null;
        Interruption.Cause cause;
        Carriers.moved();
        try {
            output = tool.handler().handle(call, input);
        } catch (Throwable e) {
            failure = e;
        } finally {
            Carriers.moved();
            cause = interruption.end();
            call.ended();
            running.remove(call.position());
            deadline.cancel();
            if (interruption.abandoned())
                stubborn.ended(call.call(), since(started));
        }
        return result(tool, call, new Ended(cause, interruption, output, failure, since(started).toMillis()));
    }

    private @Nullable HandlerResult unstarted(HandlerCall call, boolean repeatable, Cancelling.Source cancelled) {
        if (running.stopped(repeatable) || !ownership.current().owns(call.position()))
            return new HandlerResult.Left(false);
        Unwanted cancel = cancelled.of(call.call(), call.calledAt(), call.position());
        return cancel == null ? null : new HandlerResult.Replied(cancelling.unstarted(cancel), 0);
    }

    /// What is answered for a handler that ignores its interrupt.
    private ToolReply lastWord(HandlerCall call, @Nullable Unwanted cancel, boolean repeatable) {
        if (cancel == null)
            return timedOut(call);
        cancelling.interrupted();
        return Cancelling.interrupted(cancel, repeatable);
    }

    private Duration since(long started) {
        return Duration.ofNanos(nanos.getAsLong() - started);
    }

    /// Answers for a handler that does not end.
    @FunctionalInterface
    public interface Abandonment {
        /// Publishes the reply and lets the lane go on.
        void answer(ToolReply reply);
    }

    private record Ended(Interruption.@Nullable Cause cause, Interruption interruption, @Nullable ToolOutput output,
            @Nullable Throwable failure, long millis) {}

    private HandlerResult result(RegisteredTool tool, HandlerCall call, Ended ended) {
        return switch (ended.cause()) {
            case null -> replied(tool, ended);
            // What it answered all the same stands: it came to its end before it noticed.
            case CANCELLED -> ended.failure() == null ? replied(tool, ended) : cancelled(tool, ended);
            case DEADLINE -> new HandlerResult.Replied(timedOut(call), ended.millis());
            case REVOKED -> interrupted(tool, ended, "The worker lost the call's partition and interrupted it.");
            case SHUTDOWN -> interrupted(tool, ended, "The worker stopped while the call ran, and interrupted it.");
        };
    }

    private static HandlerResult replied(RegisteredTool tool, Ended ended) {
        Throwable failure = ended.failure();
        ToolReply reply = failure == null
                ? Replies.of(ended.output(), tool.export().execution().async().isPresent())
                : new ToolReply.Failed(Replies.error(failure));
        return new HandlerResult.Replied(reply, ended.millis());
    }

    private HandlerResult cancelled(RegisteredTool tool, Ended ended) {
        if (!ended.interruption().abandoned())
            cancelling.interrupted();
        return new HandlerResult.Replied(Cancelling.interrupted(requireNonNull(ended.interruption().cancelledBy()),
                tool.export().annotations().repeatable()), ended.millis());
    }

    /// What may run again is left to the next owner; of anything else the caller must know that it may have happened. An
    /// answer stands: the handler came to its end before it noticed.
    private static HandlerResult interrupted(RegisteredTool tool, Ended ended, String why) {
        if (ended.failure() == null)
            return replied(tool, ended);
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
