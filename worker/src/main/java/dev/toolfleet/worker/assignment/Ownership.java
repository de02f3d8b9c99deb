package dev.toolfleet.worker.assignment;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;

/// Which partitions this worker owns. The poll thread publishes one immutable snapshot after each poll and first thing
/// in each rebalance callback; everyone else reads. What is not in the snapshot is neither started nor published: the
/// broker fences members of an old generation, but not a live member that writes for a partition it no longer owns.
///
/// Fences itself (DESIGN 4.7): from the moment that the lease has run out, whoever asks is told that nothing is owned,
/// until the poll thread has ended every assignment and opens it again.
public final class Ownership {
    private final AtomicReference<Snapshot> current;
    private final Lease lease;
    private volatile boolean fenced;

    /// Owns nothing yet, and whatever it will own without end.
    ///
    /// @param group what the consumer says before it has joined
    public Ownership(ConsumerGroupMetadata group) {
        this(group, Lease.ENDLESS);
    }

    /// Owns nothing yet.
    ///
    /// @param lease without which nothing is owned
    public Ownership(ConsumerGroupMetadata group, Lease lease) {
        this.current = new AtomicReference<>(new Snapshot(group, Map.of()));
        this.lease = lease;
    }

    /// What the worker owns now.
    public Snapshot current() {
        Snapshot owned = current.get();
        return isFenced() ? new Snapshot(owned.group(), Map.of()) : owned;
    }

    /// Whether the lease has run out, now or at any time since it was opened last.
    public boolean isFenced() {
        if (!fenced && lease.expired())
            fenced = true;
        return fenced;
    }

    /// Ends the fencing when the lease holds again. For the poll thread alone, which must have published before that it
    /// owns nothing.
    ///
    /// @return whether the lease holds
    public boolean open() {
        if (lease.expired())
            return false;
        fenced = false;
        return true;
    }

    /// The lease.
    public Lease lease() {
        return lease;
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
