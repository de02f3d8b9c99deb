package dev.toolfleet.worker.app;

import java.util.function.BooleanSupplier;

import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.commit.TransactionLoop;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.pipeline.PendingEnds;
import dev.toolfleet.worker.poll.ResumedLoop;

/// Where what comes for pending calls goes: the transaction loop counts it, the pipeline ends their calls, and approved
/// ones begin in their lanes.
///
/// @param leaving whether this worker stops: then nothing begins, and the next owner reads it again
record ResumedCalls(TransactionLoop transactions, PendingEnds pending, Lanes lanes,
        BooleanSupplier leaving) implements ResumedLoop.Ends {
    @Override
    public void tracked(int partition, long epoch, Offsets offsets, long next) {
        transactions.tracked(Position.Source.RESUMED, partition, epoch, offsets, next);
    }

    @Override
    public void end(Position at, ResumedCall call, Runnable done) {
        pending.end(at, call, done);
    }

    @Override
    public boolean offer(Position at, ResumedCall call, int bytes, Runnable done) {
        return leaving.getAsBoolean() || lanes.offer(Arrival.Granted.of(at, call, bytes, done));
    }
}
