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

/// Runs a handler on the call's own thread until its deadline or its cancellation. Then the handler is interrupted. If
/// it ignores that for a grace period, the deadline thread answers in its place.
///
/// **Contract.** Deadline, cancellation, loss of the partition and shutdown may come at once. The first interrupts and
/// is the cause; the others find the handler interrupted. A call that is left to the next owner of its partition,
/// because the loss came first, is found cancelled there. After the end of the handler an interrupt does nothing. A
/// handler that answers although it was cancelled was quicker: its answer stands.
///
/// **Threads.** A start has two steps: (1) the handler is noted in [RunningHandlers], (2) [CancelReplies] is checked. A
/// cancellation has two steps in the opposite order: (a) [CancelReplies] can find it, (b) the noted handlers are checked
/// and interrupted. So
///
/// - a before 2: the call is not started. If b finds it noted, its interrupt goes to a handler that does not run, and
///   is cleared.
/// - 2 before a, and so 1 before b: b interrupts the handler. If it has not begun, it begins interrupted.
/// - b before 1: then a came before 2. There is nothing to interrupt, and nothing starts.
public final class HandlerExecutor {
    /// Time for which a handler may run on after its interrupt before its lane goes on without it.
    public static final Duration GRACE = Duration.ofSeconds(2);
    /// Run time from which on a repeatable handler is not begun anew when its partition moves.
    static final Duration LONG = Duration.ofSeconds(2);

    private final DeadlineLoop deadlines;
    private final RunningHandlers running;
    private final AbandonedHandlers stubborn;
    private final Ownership ownership;
    private final CancelReplies cancelling;
    private final InstantSource clock;
    private final Duration grace;
    private final LongSupplier nanos;

    /// Creates an executor with its own clock.
    ///
    /// @param stubborn notes handlers that ignore their interrupt
    /// @param ownership a handler whose call is not in it does not start
    /// @param cancelling finds cancelled calls; a caller that cancels must publish that here first, and then notify
    /// `running`
    /// @param grace after the interrupt; [#GRACE] except in tests
    /// @param nanos `System.nanoTime`
    public HandlerExecutor(DeadlineLoop deadlines, RunningHandlers running, AbandonedHandlers stubborn,
            Ownership ownership, CancelReplies cancelling, InstantSource clock, Duration grace, LongSupplier nanos) {
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
    /// @param call the handler's context
    /// @param abandoned called on the deadline thread if the handler ignores its interrupt
    public HandlerResult run(RegisteredTool tool, HandlerCall call, ObjectNode input, Abandonment abandoned) {
        return run(tool, call, input, abandoned, cancelling::of);
    }

    /// Runs an inquiry about a call, even if the call was cancelled.
    HandlerResult ask(RegisteredTool tool, HandlerCall call, ObjectNode input, Abandonment abandoned) {
        return run(tool, call, input, abandoned, CancelReplies.Source.NONE);
    }

    private HandlerResult run(RegisteredTool tool, HandlerCall call, ObjectNode input, Abandonment abandoned,
            CancelReplies.Source cancelled) {
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
                            EndOrder by = cancelled.of(call.call(), call.calledAt(), call.position());
                            if (by != null && interruption.cancel(by)) {
                                var _ = deadlines.after(grace, giveUp);
                            }
                        }));
        // Checked after the handler was noted. Code that gives partitions up, stops or cancels has the opposite order:
        // it publishes that, then interrupts the noted handlers. So one of the two sees a call that is given up or
        // cancelled meanwhile.
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
            // This timer is rarely needed. A handler that has ended by then is not abandoned.
            var _ = deadlines.after(grace, giveUp);
        });
        ToolOutput output = null;
        Throwable failure = null;
        Interruption.Cause cause;
        CarrierThreads.moved();
        try {
            call.begins();
            output = tool.handler().handle(call, input);
        } catch (Throwable e) {
            failure = e;
        } finally {
            CarrierThreads.moved();
            cause = interruption.end();
            call.ended();
            running.remove(call.position());
            deadline.cancel();
            if (interruption.abandoned())
                stubborn.ended(call.call(), since(started));
        }
        return result(tool, call, new Ended(cause, interruption, output, failure, since(started).toMillis()));
    }

    private @Nullable HandlerResult unstarted(HandlerCall call, boolean repeatable, CancelReplies.Source cancelled) {
        if (running.stopped(repeatable) || !ownership.current().owns(call.position()))
            return new HandlerResult.Left(false);
        EndOrder cancel = cancelled.of(call.call(), call.calledAt(), call.position());
        return cancel == null ? null : new HandlerResult.Replied(cancelling.unstarted(cancel), 0);
    }

    /// Returns the reply for a handler that ignores its interrupt.
    private ToolReply lastWord(HandlerCall call, @Nullable EndOrder cancel, boolean repeatable) {
        if (cancel == null)
            return timedOut(call);
        cancelling.interrupted();
        return CancelReplies.interrupted(cancel, repeatable);
    }

    private Duration since(long started) {
        return Duration.ofNanos(nanos.getAsLong() - started);
    }

    /// Answers in place of a handler that does not end.
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
            // An answer stands: the handler ended before it noticed the interrupt.
            case CANCELLED -> ended.failure() == null ? replied(tool, ended) : cancelled(tool, ended);
            case DEADLINE -> new HandlerResult.Replied(timedOut(call), ended.millis());
            case REVOKED -> interrupted(tool, ended, "The worker lost the call's partition and interrupted it.");
            case SHUTDOWN -> interrupted(tool, ended, "The worker stopped while the call ran, and interrupted it.");
        };
    }

    private static HandlerResult replied(RegisteredTool tool, Ended ended) {
        Throwable failure = ended.failure();
        ToolReply reply = failure == null
                ? HandlerReplies.of(ended.output(), tool.export().execution().async().isPresent())
                : new ToolReply.Failed(HandlerReplies.error(failure));
        return new HandlerResult.Replied(reply, ended.millis());
    }

    private HandlerResult cancelled(RegisteredTool tool, Ended ended) {
        if (!ended.interruption().abandoned())
            cancelling.interrupted();
        return new HandlerResult.Replied(CancelReplies.interrupted(requireNonNull(ended.interruption().cancelledBy()),
                tool.export().annotations().repeatable()), ended.millis());
    }

    /// Leaves a repeatable call to the next owner. The caller of any other call gets the error that it may have
    /// happened. An answer stands: the handler ended before it noticed the interrupt.
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
