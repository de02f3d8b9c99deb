package dev.toolfleet.worker.commit;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.worker.assignment.PartitionLoads;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/// Excludes the outcomes of held partitions from the limit on uncommitted results, so that they take no room from
/// partitions that can commit. A held partition is not read, so it has no more outcomes than calls in flight. Passes
/// every event to the next listener. Owned by the transaction loop's thread.
final class HeldPartitions implements PartitionListener {
    private final PartitionLoads uncommitted;
    private final PartitionListener listener;
    private final Map<Integer, Holds> held = new HashMap<>();

    private record Holds(long epoch, Set<Hold> reasons) {}

    HeldPartitions(PartitionLoads uncommitted, PartitionListener listener) {
        this.uncommitted = uncommitted;
        this.listener = listener;
    }

    @Override
    public void held(int partition, long epoch, Hold why, boolean on) {
        Holds holds = held.get(partition);
        if (holds == null || holds.epoch() != epoch) {
            holds = new Holds(epoch, EnumSet.noneOf(Hold.class));
            held.put(partition, holds);
        }
        if (on) {
            holds.reasons().add(why);
        } else {
            holds.reasons().remove(why);
        }
        uncommitted.setAside(partition, epoch, !holds.reasons().isEmpty());
        listener.held(partition, epoch, why, on);
    }

    /// Forgets the holds of an assignment that is over.
    void closed(int partition, long epoch) {
        Holds holds = held.get(partition);
        if (holds != null && holds.epoch() == epoch)
            held.remove(partition);
        uncommitted.setAside(partition, epoch, false);
    }

    @Override
    public void committed(int partition, long epoch, OffsetAndMetadata calls) {
        listener.committed(partition, epoch, calls);
    }

    @Override
    public void wentBack(int partition, long epoch) {
        listener.wentBack(partition, epoch);
    }

    @Override
    public void ended(boolean committed, int records, long nanos) {
        listener.ended(committed, records, nanos);
    }

    @Override
    public void fenced() {
        listener.fenced();
    }

    @Override
    public void failed(Throwable cause) {
        listener.failed(cause);
    }
}
