package dev.toolfleet.worker.assignment;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;

/// Which partitions this worker owns. The poll thread publishes one immutable snapshot after each poll and first thing
/// in each rebalance callback; everyone else reads. What is not in the snapshot is neither started nor published: the
/// broker fences members of an old generation, but not a live member that writes for a partition it no longer owns.
public final class Ownership {
    private final AtomicReference<Snapshot> current;

    /// Owns nothing yet.
    ///
    /// @param group what the consumer says before it has joined
    public Ownership(ConsumerGroupMetadata group) {
        this.current = new AtomicReference<>(new Snapshot(group, Map.of()));
    }

    /// What the worker owns now.
    public Snapshot current() {
        return current.get();
    }

    /// Replaces the snapshot. For the poll thread alone.
    public void publish(Snapshot snapshot) {
        current.set(snapshot);
    }

    /// What a worker owns at one moment.
    ///
    /// @param group the member's generation, which commits must carry
    /// @param epochs the epoch of each owned partition
    public record Snapshot(ConsumerGroupMetadata group, Map<Integer, Long> epochs) {
        /// Copies the map.
        public Snapshot {
            epochs = Map.copyOf(epochs);
        }

        /// Whether the assignment under which `position` was read still holds.
        public boolean owns(Position position) {
            return owns(position.partition(), position.epoch());
        }

        /// Whether this very assignment of the partition still holds.
        public boolean owns(int partition, long epoch) {
            Long owned = epochs.get(partition);
            return owned != null && owned == epoch;
        }
    }
}
