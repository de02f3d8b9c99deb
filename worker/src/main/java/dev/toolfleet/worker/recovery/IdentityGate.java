package dev.toolfleet.worker.recovery;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;

import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.ResumedCall.Grant;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.Recalled;
import dev.toolfleet.worker.identity.CallStanding;
import dev.toolfleet.worker.identity.FormerCall;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.record.OutcomeRecords;

/// Gate for duplicates (G1 in `docs/guarantees.md`): compares a call with the memory of its partition. A call that is to
/// run passes [StartGate] last.
public final class IdentityGate implements IdentityStage {
    private final PartitionStates states;
    private final OutcomeRecords outcomes;
    private final Replays replays;
    private final Recovery recovery;
    private final StartGate starts;
    private final Predicate<CompletableFuture<Void>> committed;

    /// A gate over the assigned partitions.
    public IdentityGate(PartitionStates states, OutcomeRecords outcomes, Replays replays, Recovery recovery,
            StartGate starts) {
        this(states, outcomes, replays, recovery, starts, IdentityGate::committed);
    }

    /// @param committed waits for a twin; false when the assignment ended first
    public IdentityGate(PartitionStates states, OutcomeRecords outcomes, Replays replays, Recovery recovery,
            StartGate starts,
            Predicate<CompletableFuture<Void>> committed) {
        this.committed = committed;
        this.states = states;
        this.outcomes = outcomes;
        this.replays = replays;
        this.recovery = recovery;
        this.starts = starts;
    }

    @Override
    public Entry enter(Identified call, Abandoned abandoned) {
        while (true) {
            PartitionState state = states.of(call.call().arrival().position());
            if (state == null || !outlastsFormer(call, state))
                return new Entry.Left();
            Grant grant = call.grant();
            switch (grant == null ? state.judge(call.call()) : state.judgeGrant(call.call(), grant)) {
                case CallStanding.Fresh() -> {
                    return starts.pass(call.reached(call.recalledBy(state)), state);
                }
                case CallStanding.Doubtful() -> {
                    return starts.pass(call.reached(call.recalledBy(state).doubtful()), state);
                }
                case CallStanding.Open(var intent, boolean doubtful) -> {
                    return open(call.reached(call.recalledBy(state)), state, intent, doubtful, abandoned);
                }
                case CallStanding.Unreadable() -> {
                    Recalled known = call.reached(call.recalledBy(state));
                    return starts.isOwned(known, state) ? recovery.unreadable(known) : new Entry.Left();
                }
                case CallStanding.Done() -> {
                    return new Entry.Settled(outcomes.done(call));
                }
                case CallStanding.Answered(var answer, boolean waits) -> {
                    return new Entry.Settled(replays.of(waits ? call.reached(call.recalledBy(state)) : call, answer));
                }
                case CallStanding.Pending(String handle) -> {
                    return new Entry.Settled(outcomes.stillPending(call.reached(call.recalledBy(state)), handle));
                }
                case CallStanding.Conflict() -> {
                    return new Entry.Settled(outcomes.conflict(call));
                }
                case CallStanding.Forged(String why) -> {
                    return new Entry.Settled(outcomes.forged(call, why));
                }
                case CallStanding.Twin(var ended) -> {
                    if (!committed.test(ended))
                        return new Entry.Left();
                }
            }
        }
    }

    /// A call whose start an earlier owner noted.
    private Entry open(Recalled call, PartitionState state, CallIntent intent, boolean doubtful, Abandoned abandoned) {
        if (!starts.isOwned(call, state))
            return new Entry.Left();
        Entry settled = doubtful ? recovery.doubtful(call, intent) : recovery.settle(call, intent, abandoned);
        return settled instanceof Entry.GoOn(Recalled on) ? starts.pass(on, state) : settled;
    }

    /// Waits for calls of the run's instance that began in a former log of the partition. False when the call is left.
    private boolean outlastsFormer(Identified run, PartitionState state) {
        for (FormerCall former : state.former().before(run.call())) {
            if (!recovery.outlasts(run, former))
                return false;
            // The wait of a cancelled call was cut short.
            if (run.course().failed() == null)
                state.former().over(former);
        }
        return true;
    }

    /// Waits, whatever its thread is told meanwhile.
    public static boolean committed(CompletableFuture<Void> twin) {
        try {
            IntentJournal.uninterruptibly(twin);
            return true;
        } catch (ExecutionException | CancellationException e) {
            return false;
        }
    }
}
