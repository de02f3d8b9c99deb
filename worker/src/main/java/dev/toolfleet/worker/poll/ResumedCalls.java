package dev.toolfleet.worker.poll;

import java.util.function.BooleanSupplier;

import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.commit.TransactionLoop;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.pipeline.PendingCallResults;

/// Listener of the resumed loop: the transaction loop counts outcomes, the pipeline ends their calls, and approved calls
/// begin in their lanes.
///
/// @param leaving true while this worker stops: then nothing begins, and the next owner reads it again
record ResumedCalls(TransactionLoop transactions, PendingCallResults pending, PartitionStates states, Lanes lanes,
        BooleanSupplier leaving) implements ResumedListener {
    @Override
    public void tracked(int partition, long epoch, Offsets offsets, long next) {
        transactions.tracked(Position.Source.RESUMED, partition, epoch, offsets, next);
    }

    @Override
    public void end(Position at, ResumedCall call, Runnable done) {
        pending.end(at, call, done);
    }

    @Override
    public boolean offer(Arrival.Granted granted) {
        return leaving.getAsBoolean() || states.offer(granted, lanes::offer);
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
}
