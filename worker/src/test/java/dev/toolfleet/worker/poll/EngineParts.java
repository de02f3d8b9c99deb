package dev.toolfleet.worker.poll;

import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;

import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.worker.commit.PartitionListener;
import dev.toolfleet.worker.commit.TransactionLoop;
import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.override.PendingCancels;
import dev.toolfleet.worker.pipeline.PendingCallResults;
import dev.toolfleet.worker.recovery.OwnerJournal;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/// Makes the parts between a worker's loops, for a simulation that runs these.
public final class EngineParts {
    /// Nothing is measured here but beginnings of take-overs.
    private static final WorkerMeters METERS = new WorkerMeters(new SimpleMeterRegistry());

    private EngineParts() {}

    /// The listener of the poll loop.
    ///
    /// @param opened takes the intents that earlier owners of a partition left
    /// @param closed told which partition is given up
    public static PollListener engine(Lanes lanes, TransactionLoop transactions, RunningHandlers handlers,
            PartitionStates states, BiConsumer<Integer, Map<String, CallIntent>> opened, IntConsumer closed,
            ResumedLoop resumed, PendingCancels cancels, OwnerJournal owners) {
        return new Intake(lanes, transactions, handlers, states, new Intake.Following() {
            @Override
            public void opened(int partition, Map<String, CallIntent> open) {
                opened.accept(partition, open);
            }

            @Override
            public void closed(int partition) {
                closed.accept(partition);
            }
        }, resumed, cancels, owners, Intake.Watch.NONE);
    }

    /// Take-overs of the partitions that the fleet was created with.
    ///
    /// @param count of these
    public static TakeOvers recorded(String topic, int count, TakeOvers takeOvers, PartitionListener listener) {
        return new RecordedPartitions(topic, count, takeOvers, listener, new PartitionWatch(METERS, System::nanoTime));
    }

    /// Where the resumed loop's outcomes and approvals go.
    public static ResumedListener ends(TransactionLoop transactions, PendingCallResults pending, PartitionStates states,
            Lanes lanes, RunningHandlers handlers) {
        return new ResumedCalls(transactions, pending, states, lanes, handlers::isDraining);
    }
}
