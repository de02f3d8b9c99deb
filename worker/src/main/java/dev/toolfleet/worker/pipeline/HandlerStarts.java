package dev.toolfleet.worker.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.call.CallCourse;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.CallFacts.Ruled;
import dev.toolfleet.worker.call.CallFacts.Started;
import dev.toolfleet.worker.execute.CallWaits;
import dev.toolfleet.worker.execute.CallWaits.Waited;
import dev.toolfleet.worker.execute.HandlerCall;
import dev.toolfleet.worker.execute.HandlerExecutor;
import dev.toolfleet.worker.execute.HandlerResult;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.limit.LimitGate;
import dev.toolfleet.worker.limit.LimitGate.Entry;
import dev.toolfleet.worker.limit.Permit;
import dev.toolfleet.worker.recovery.Journal;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.telemetry.CallKeys;
import dev.toolfleet.worker.telemetry.CallTrace;
import dev.toolfleet.worker.telemetry.TraceNames;
import org.jspecify.annotations.Nullable;

/// Starts a call's handler: when its tool's limits allow it, after it was noted, and again if it fails and its export
/// permits it (`docs/tools.md`). All starts of a call share one deadline, which begins with the first; each has its own
/// slot, and none is held between two.
public final class HandlerStarts {
    private final LimitGate limits;
    private final Journal journal;
    private final HandlerExecutor handlers;
    private final CallWaits waits;
    private final Again again;

    /// Starts within `limits`.
    public HandlerStarts(LimitGate limits, Journal journal, HandlerExecutor handlers, CallWaits waits, Again again) {
        this.limits = limits;
        this.journal = journal;
        this.handlers = handlers;
        this.waits = waits;
        this.again = again;
    }

    /// Parts that repeated starts need.
    ///
    /// @param chance from 0 to 1, for the jitter
    /// @param counted told of each, which tool it was
    public record Again(InstantSource clock, DoubleSupplier chance, Consumer<ToolRef> counted) {}

    /// A call that is to run.
    ///
    /// @param policy asked again when the call had to wait: what the caller is told instead of a result, null when the
    /// call goes on
    /// @param spender the budgets of the call
    record Start(Ruled run, ToolCall call, RegisteredTool tool, ToolRef ref, HandlerCalls calls,
            Supplier<@Nullable ToolReply> policy, BudgetStage.Spender spender, Consumer<ToolReply> abandoned) {}

    /// One start that has ended.
    ///
    /// @param limit of this start and those after it
    /// @param last whether there is no other after it, whatever came of it
    private record Ended(HandlerResult result, HandlerCall.Limit limit, boolean last) {}

    HandlerResult run(Start start) {
        HandlerResult result;
        try {
            result = started(start);
        } finally {
            start.spender().giveBack();
        }
        if (result instanceof HandlerResult.Left)
            journal.left(start.run());
        return result;
    }

    /// The call will have no result here, and no start of its handler is under way.
    void left(CallFacts run) {
        journal.left(run);
    }

    private HandlerResult started(Start start) {
        HandlerCall.Limit limit = null;
        HandlerResult.Replied before = null;
        for (int starts = 1;; starts++) {
            Permit permit;
            switch (admission(start, limit)) {
                case Waited.Cut<Entry.Decided>(HandlerResult cut) -> {
                    return cut;
                }
                case Waited.Over<Entry.Decided>(Entry.Refused(ToolError error)) -> {
                    // The tool's own error is more useful than the refusal of another start.
                    return before != null ? before : new HandlerResult.Replied(new ToolReply.Failed(error), 0);
                }
                case Waited.Over<Entry.Decided>(Entry.Admitted(Permit given)) -> permit = given;
            }
            if (before != null && limit != null && !again.clock().instant().isBefore(limit.deadline())) {
                permit.close();
                return before;
            }
            Ended ended = once(start, limit, permit, start.run().attempt() + starts - 1);
            limit = ended.limit();
            HandlerResult.Replied replied = added(before, ended.result());
            // Also when a layer makes a value of the error.
            if (replied != null && replied.reply() instanceof ToolReply.Failed)
                start.run().sends().discard();
            if (replied == null || ended.last())
                return ended.result();
            Optional<Duration> wait = RetryRules.again(replied.reply(), start.tool().export(), starts,
                    Duration.between(again.clock().instant(), limit.deadline()), again.chance().getAsDouble());
            if (wait.isEmpty())
                return replied;
            to(start, CallCourse.Stage.BACKOFF);
            if (waits.during(waiting(start, true), () -> slept(wait.get())) instanceof Waited.Cut<Duration>(var cut))
                return cut;
            before = replied;
        }
    }

    private static Duration slept(Duration wait) throws InterruptedException {
        Thread.sleep(wait);
        return wait;
    }

    private void to(Start start, CallCourse.Stage stage) {
        start.run().course().to(stage, again.clock().millis());
    }

    /// Together with the time that earlier starts took; null when the call is left.
    private static HandlerResult.@Nullable Replied added(HandlerResult.@Nullable Replied before, HandlerResult now) {
        return switch (now) {
            case HandlerResult.Left _ -> null;
            case HandlerResult.Replied replied when before == null -> replied;
            case HandlerResult.Replied(ToolReply reply, long millis) ->
                new HandlerResult.Replied(afterAnother(reply), before.millis() + millis);
        };
    }

    /// "The call did not happen" is no longer true.
    private static ToolReply afterAnother(ToolReply reply) {
        return reply instanceof ToolReply.Failed(ToolError error)
                && error.code().equals(ErrorCode.E_TOOL_CANCELLED.name())
                        ? new ToolReply.Failed(error.suggesting(ErrorCode.E_TOOL_CANCELLED.suggestion()))
                        : reply;
    }

    /// @param limit null before the first start
    private Waited<Entry.Decided> admission(Start start, HandlerCall.@Nullable Limit limit) {
        Instant deadline = limit == null ? start.call().deadline() : limit.deadline();
        Entry first = limits.ask(asking(start, deadline));
        return switch (first) {
            case Entry.Decided decided -> new Waited.Over<>(decided);
            case Entry.Queued(LimitGate.Turn turn) -> {
                boolean came = false;
                to(start, CallCourse.Stage.SLOT);
                try {
                    Waited<Entry.Decided> waited = waits.during(waiting(start, limit != null), turn::await);
                    came = waited instanceof Waited.Over<Entry.Decided>;
                    if (came)
                        start.run().trace().passed(TraceNames.ADMITTED);
                    yield limit == null ? asked(start, waited) : waited;
                } finally {
                    if (!came)
                        turn.giveUp();
                }
            }
        };
    }

    /// A call may have waited for longer than what was said of it holds: an operator may have switched its tool off.
    private static Waited<Entry.Decided> asked(Start start, Waited<Entry.Decided> waited) {
        if (!(waited instanceof Waited.Over<Entry.Decided>(Entry.Admitted(Permit permit))))
            return waited;
        ToolReply refusal = start.policy().get();
        if (refusal == null)
            return waited;
        permit.close();
        return new Waited.Cut<>(new HandlerResult.Replied(refusal, 0));
    }

    private static LimitGate.Asking asking(Start start, @Nullable Instant deadline) {
        return new LimitGate.Asking(start.ref(), start.tool().code(), start.call().name(), deadline,
                start.calls().timeout(start.tool()));
    }

    private static CallWaits.Waiting waiting(Start start, boolean started) {
        return new CallWaits.Waiting(start.run().call().arrival().position(), start.call(),
                start.run().call().arrival().appendedAt(), started);
    }

    /// The permit is closed, or its holder will close it: nothing that is thrown in here keeps a slot.
    ///
    /// @param before the limit of the start before; null for the first
    /// @param attempt the number of this start
    private Ended once(Start start, HandlerCall.@Nullable Limit before, Permit permit, int attempt) {
        PartitionState holder = null;
        try {
            HandlerCall.Limit limit = before == null ? start.calls().limit(start.call(), start.tool()) : before;
            // After the wait for a slot: a call that waits holds no part of a budget.
            HandlerResult unspent = before == null ? spent(start) : null;
            if (unspent != null)
                return new Ended(unspent, limit, true);
            if (before != null)
                again.counted().accept(start.ref());
            Started started = start.run().reached(new Started(ruled(start), attempt));
            Ended ended = ran(start, started, limit, permit);
            if (ended.result() instanceof HandlerResult.Replied(ToolReply.Pending _, long _)
                    && permit.heldWhilePending())
                holder = started.state();
            return ended;
        } finally {
            if (holder == null) {
                permit.close();
            } else {
                // Until then it does not count as a pending call.
                holder.whenEnded(start.run().call(), permit::close);
            }
        }
    }

    /// Returns null for a call that has spent.
    private @Nullable HandlerResult spent(Start start) {
        if (start.spender().isFollowed()) {
            switch (waits.during(waiting(start, false), start.spender()::caughtUp)) {
                case Waited.Cut<Optional<ToolError>>(HandlerResult cut) -> {
                    return cut;
                }
                case Waited.Over<Optional<ToolError>>(Optional<ToolError> unread) -> {
                    if (unread.isPresent())
                        return new HandlerResult.Replied(new ToolReply.Failed(unread.get()), 0);
                }
            }
        }
        ToolError exhausted = start.spender().spend();
        return exhausted == null ? null : new HandlerResult.Replied(new ToolReply.Failed(exhausted), 0);
    }

    /// By the latest ruling: policy is asked again while a call waits.
    private static Ruled ruled(Start start) {
        return switch (start.run().now()) {
            case Ruled ruled -> ruled;
            case Started(Ruled ruled, int _) -> ruled;
            default -> start.run();
        };
    }

    private Ended ran(Start start, Started started, HandlerCall.Limit limit, Permit permit) {
        HandlerCall call = start.calls().of(started, start.call(), limit);
        call.movesBy(journal.onMove(started, start.tool(), call.deadline()));
        call.whenBegun(start.spender()::began);
        boolean callers = limit.deadline().equals(start.call().deadline());
        AtomicBoolean began = new AtomicBoolean();
        AtomicBoolean givenUp = new AtomicBoolean();
        to(start, CallCourse.Stage.NOTING);
        HandlerResult result = journal.noted(started, start.tool(), call.deadline(), () -> {
            began.set(true);
            to(start, CallCourse.Stage.RUNNING);
            return traced(started, () -> handlers.run(start.tool(), call, start.call().argsObject(), late -> {
                givenUp.set(true);
                try (permit) {
                    permit.ended(RetryRules.of(late, start.tool().export(), callers));
                }
                start.abandoned().accept(late);
            }));
        });
        // A note that could not be written is no sign about the tool.
        if (began.get() && result instanceof HandlerResult.Replied(ToolReply reply, long _))
            permit.ended(RetryRules.of(reply, start.tool().export(), callers));
        return new Ended(result, limit, givenUp.get() || !began.get());
    }

    /// Names the call in what its handler logs.
    private static HandlerResult traced(Started run, Supplier<HandlerResult> handler) {
        try (CallTrace.Handler trace = run.trace().handler(run.attempt()); CallKeys _ = run.keys(trace.spanId())) {
            HandlerResult result = handler.get();
            if (result instanceof HandlerResult.Replied(ToolReply reply, long _))
                trace.replied(reply);
            return result;
        }
    }
}
