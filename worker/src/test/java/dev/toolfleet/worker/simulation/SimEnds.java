package dev.toolfleet.worker.simulation;

import java.util.List;

import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.pipeline.PendingEnds;
import dev.toolfleet.worker.poll.ResumedLoop;

/// Where a simulated worker's outcomes go: to the real transactions and the real pipeline.
final class SimEnds implements ResumedLoop.Ends {
    private final SimEngine engine;
    private final PendingEnds pending;

    SimEnds(SimEngine engine, PendingEnds pending) {
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
    public boolean offer(Position at, ResumedCall call, int bytes, Runnable done) {
        return engine.offer(Arrival.Granted.of(at, call, bytes, done));
    }

    /// Commits an outcome's offset, and nothing with it.
    void passOver(Position at, Runnable done) {
        engine.finished(new Outcome(at, List.of()));
        done.run();
    }
}
