package dev.toolfleet.worker.recovery;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.Recalled;
import dev.toolfleet.worker.execute.CallWaits;
import dev.toolfleet.worker.execute.CallWaits.Waited;
import dev.toolfleet.worker.execute.HandlerResult;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.recovery.IdentityStage.Entry;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gate before the first stage of a call, by which no call kills more than two workers (decision 55).
///
/// **Contract.** A call passes once the journal shows what its worker's death would mean: for every call that its partition
/// has this owner, and for a call with which a worker may have died before, also that this worker has taken it. The call
/// waits for one transaction at most, and not at all once the assignment's first one is committed and no worker died.
///
/// **Threads.** The call's own, which waits here. It hears of its deadline, of cancellations and orders, of the end of the
/// assignment, and of the end of the worker.
///
/// **Why a refusal lets it pass.** A broker that refuses the entry would otherwise end innocent calls of the partition.
public final class StartGate {
    private static final Logger LOG = LoggerFactory.getLogger(StartGate.class);
    /// The longest delay of news that wake no call.
    private static final Duration LOOK = Duration.ofMillis(200);

    private final Starts starts;
    private final CallWaits waits;
    private final Patience patience;
    private final InstantSource clock;

    /// A gate whose calls wait on their own threads.
    public StartGate(Starts starts, CallWaits waits, InstantSource clock) {
        this(starts, waits, StartGate::isDone, clock);
    }

    /// @param patience waits
    public StartGate(Starts starts, CallWaits waits, Patience patience, InstantSource clock) {
        this.starts = starts;
        this.waits = waits;
        this.patience = patience;
        this.clock = clock;
    }

    /// Notes that a worker has taken a call.
    public interface Starts {
        /// Sends the note, with how many workers died before.
        ///
        /// @return done when the note is committed; with null when the assignment ended first, exceptionally when the broker
        ///         refuses it
        CompletableFuture<@Nullable Long> note(CallFacts run);

        /// Hands a noted call back: it will have no result here.
        void left(CallFacts run);
    }

    /// Waits for something.
    @FunctionalInterface
    public interface Patience {
        /// Returns true once it is done, or false after that time.
        boolean isDone(CompletableFuture<?> awaited, Duration atMost) throws InterruptedException;
    }

    private static boolean isDone(CompletableFuture<?> awaited, Duration atMost) throws InterruptedException {
        try {
            awaited.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException | CancellationException e) {
            return true;
        }
    }

    /// Waits until the journal names this owner of the partition, before a call is recovered. Nothing else ends this wait:
    /// what is known of the call is not decided yet. False when the assignment ended first.
    boolean isOwned(Recalled run, PartitionState state) {
        CompletableFuture<?> written = state.owned();
        while (!written.isDone()) {
            try {
                var _ = patience.isDone(written, LOOK);
            } catch (InterruptedException e) {
                // No handler runs, so the interrupt has no addressee.
            }
        }
        return passed(run, written) instanceof Entry.GoOn;
    }

    /// Lets a call pass that is to run.
    Entry pass(Recalled known, PartitionState state) {
        Recalled run = known;
        if (run.deaths() == 0 && state.suspects().contains(run.at()))
            run = run.reached(run.after(1));
        if (run.deaths() == 0)
            return state.owned().isDone() ? passed(run, state.owned()) : awaited(run, state.owned());
        Entry entry = awaited(run, starts.note(run));
        if (entry instanceof Entry.Left)
            starts.left(run);
        return entry;
    }

    private Entry awaited(Recalled run, CompletableFuture<?> written) {
        ToolCall call = run.call().arrival().call();
        Instant deadline = call.deadline();
        boolean ran = run.deaths() > 0 || run.attempt() > 1;
        CallWaits.Waiting waiting = new CallWaits.Waiting(run.call().arrival().position(), call,
                run.call().arrival().appendedAt(), ran);
        while (!written.isDone()) {
            Duration left = deadline == null ? LOOK : Duration.between(clock.instant(), deadline);
            if (!left.isPositive())
                return new Entry.Ended(new ToolReply.Failed(late(deadline, ran)), null);
            Duration look = left.compareTo(LOOK) < 0 ? left : LOOK;
            switch (waits.during(waiting, () -> patience.isDone(written, look))) {
                case Waited.Cut<Boolean>(HandlerResult.Replied(ToolReply reply, long _)) -> {
                    return new Entry.Ended(reply, null);
                }
                case Waited.Cut<Boolean>(HandlerResult.Left _) -> {
                    return new Entry.Left();
                }
                case Waited.Over<Boolean> _ -> {
                }
            }
        }
        return passed(run, written);
    }

    private static Entry passed(Recalled run, CompletableFuture<?> written) {
        if (written.isCompletedExceptionally() && run.deaths() > 0) {
            LOG.atWarn().addKeyValue(LogKeys.PARTITION, run.at().partition())
                    .addKeyValue(LogKeys.OFFSET, run.at().offset())
                    .addKeyValue(LogKeys.REASON, String.valueOf(written.exceptionNow()))
                    .log("a call starts without its note, a death would not be counted");
        }
        boolean ended = !written.isCompletedExceptionally() && written.resultNow() == null;
        return ended ? new Entry.Left() : new Entry.GoOn(run);
    }

    /// @param ran whether an earlier worker may have run it
    private static ToolError late(@Nullable Instant deadline, boolean ran) {
        ToolError error = ToolError.of(ErrorCode.E_TOOL_TIMEOUT, "The call was not started" + (ran ? " again" : "")
                + ": its deadline " + deadline + " passed while its start was being noted.");
        return ran
                ? error
                : error.suggesting(
                        "The call did not happen. Call again with a later deadline, or tell the user that it takes"
                                + " too long.");
    }
}
