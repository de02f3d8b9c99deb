package dev.toolfleet.worker.recovery;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;

import dev.toolfleet.wire.ResumedCall.Grant;
import dev.toolfleet.worker.call.CallRun;
import dev.toolfleet.worker.identity.FormerCall;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.identity.Standing;
import dev.toolfleet.worker.record.Outcomes;

/// Keeps "a duplicate is not run again" (DESIGN 3, G1): asks what the call's partition remembers of it. A call that is to
/// run passes [StartGate] last.
public final class IdentityGate implements IdentityStage {
    private final PartitionStates states;
    private final Outcomes outcomes;
    private final Replays replays;
    private final Recovery recovery;
    private final StartGate starts;
    private final Predicate<CompletableFuture<Void>> committed;

    /// A gate over the assigned partitions.
    public IdentityGate(PartitionStates states, Outcomes outcomes, Replays replays, Recovery recovery,
            StartGate starts) {
        this(states, outcomes, replays, recovery, starts, IdentityGate::committed);
    }

    /// @param committed waits for a twin; false when the assignment ended first
    public IdentityGate(PartitionStates states, Outcomes outcomes, Replays replays, Recovery recovery, StartGate starts,
            Predicate<CompletableFuture<Void>> committed) {
        this.committed = committed;
        this.states = states;
        this.outcomes = outcomes;
        this.replays = replays;
        this.recovery = recovery;
        this.starts = starts;
    }

    @Override
    public Entry enter(CallRun run, Abandoned abandoned) {
        while (true) {
            PartitionState state = states.of(run.call().arrival().position());
            if (state == null || !outlastsFormer(run, state))
                return new Entry.Left();
            Grant grant = run.grant();
            switch (grant == null ? state.judge(run.call()) : state.judgeGrant(run.call(), grant)) {
                case Standing.Fresh() -> {
                    run.rememberedBy(state);
                    return starts.pass(run, state);
                }
                case Standing.Doubtful() -> {
                    run.rememberedBy(state);
                    run.course().doubt();
                    return starts.pass(run, state);
                }
                case Standing.Open(var intent, boolean doubtful) -> {
                    run.rememberedBy(state);
                    if (!starts.isOwned(run, state))
                        return new Entry.Left();
                    Entry settled = doubtful
                            ? recovery.doubtful(run, intent)
                            : recovery.settle(run, intent, abandoned);
                    return settled instanceof Entry.GoOn ? starts.pass(run, state) : settled;
                }
                case Standing.Unreadable() -> {
                    run.rememberedBy(state);
                    return starts.isOwned(run, state) ? recovery.unreadable(run) : new Entry.Left();
                }
                case Standing.Done() -> {
                    return new Entry.Settled(outcomes.done(run));
                }
                case Standing.Answered(var answer, boolean waits) -> {
                    if (waits)
                        run.rememberedBy(state);
                    return new Entry.Settled(replays.of(run, answer));
                }
                case Standing.Pending(String handle) -> {
                    run.rememberedBy(state);
                    return new Entry.Settled(outcomes.stillPending(run, handle));
                }
                case Standing.Conflict() -> {
                    return new Entry.Settled(outcomes.conflict(run));
                }
                case Standing.Forged(String why) -> {
                    return new Entry.Settled(outcomes.forged(run, why));
                }
                case Standing.Twin(var ended) -> {
                    if (!committed.test(ended))
                        return new Entry.Left();
                }
            }
        }
    }

    /// Waits for calls of the run's instance that began in a former log of the partition. False when the call is left.
    private boolean outlastsFormer(CallRun run, PartitionState state) {
        for (FormerCall former : state.before(run.call())) {
            if (!recovery.outlasts(run, former))
                return false;
            // Of a call that was cancelled nobody waited to the end.
            if (run.course().failed() == null)
                state.over(former);
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
