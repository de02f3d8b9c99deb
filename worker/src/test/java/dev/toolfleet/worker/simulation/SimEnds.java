package dev.toolfleet.worker.simulation;

import java.util.List;

import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.pipeline.PendingEnds;
import dev.toolfleet.worker.poll.ResumedLoop;

/// Where a simulated worker's outcomes go: to the real transactions and the real pipeline.
final class SimEnds implements ResumedLoop.Ends {
    private final SimEngine engine;
    private final PartitionStates states;
    private final PendingEnds pending;

    SimEnds(SimEngine engine, PartitionStates states, PendingEnds pending) {
        this.states = states;
        this.engine = engine;
        this.pending = pending;
    }

    @Override
    public void tracked(int partition, long epoch, Offsets offsets, long next) {
        engine.tracked(Position.Source.RESUMED, partition, epoch, offsets, next);
    }

    @Override
    public void end(Position at, ResumedCall call, Runnable done) {
        pending.end(at, call, done);
    }

    @Override
    public boolean offer(Arrival.Granted granted) {
        return engine.offer(granted);
    }

    @Override
    public boolean began(Arrival.Granted granted) {
        PartitionState state = states.of(granted.position());
        return state != null && state.began(granted);
    }

    @Override
    public boolean settled(int partition, long epoch, long position) {
        PartitionState state = states.of(partition, epoch);
        return state == null || state.settled(position);
    }

    /// Commits an outcome's offset, and nothing with it.
    void passOver(Position at, Runnable done) {
        engine.finished(new Outcome(at, List.of()));
        done.run();
    }
}
