package dev.toolfleet.worker.assignment;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;

/// Partitions that this worker owns.
///
/// **Contract.** A call that is not in the snapshot is neither started nor published. The broker fences members of an
/// old generation, but not a live member that writes for a partition it no longer owns. Once the lease has run out,
/// every reader gets an empty snapshot, until the poll thread has ended every assignment and opens it again. See G1 and
/// G3 in `docs/guarantees.md`.
///
/// **Threads.** The poll thread publishes one immutable snapshot after each poll and at the start of each rebalance
/// callback. All other threads only read.
public final class Ownership {
    private final AtomicReference<Snapshot> current;
    private final Lease lease;
    private volatile boolean fenced;

    /// Creates an empty ownership with an endless lease.
    ///
    /// @param group the consumer's metadata before it has joined
    public Ownership(ConsumerGroupMetadata group) {
        this(group, Lease.ENDLESS);
    }

    /// Creates an empty ownership.
    ///
    /// @param lease once it has expired, every snapshot is empty
    public Ownership(ConsumerGroupMetadata group, Lease lease) {
        this.current = new AtomicReference<>(new Snapshot(group, Map.of()));
        this.lease = lease;
    }

    /// Returns the present snapshot; empty while fenced.
    public Snapshot current() {
        Snapshot owned = current.get();
        return isFenced() ? new Snapshot(owned.group(), Map.of()) : owned;
    }

    /// True if the lease has run out, now or at any time since it was last opened.
    public boolean isFenced() {
        if (!fenced && lease.expired())
            fenced = true;
        return fenced;
    }

    /// Ends the fencing if the lease holds again. For the poll thread alone, which must have published an empty
    /// snapshot before.
    ///
    /// @return whether the lease holds
    public boolean open() {
        if (lease.expired())
            return false;
        fenced = false;
        return true;
    }

    /// Returns the lease.
    public Lease lease() {
        return lease;
    }

    /// Replaces the snapshot. For the poll thread alone.
    public void publish(Snapshot snapshot) {
        current.set(snapshot);
    }

    /// Ownership at one moment.
    ///
    /// @param group the member's generation, which commits must carry
    /// @param epochs the epoch of each owned partition
    public record Snapshot(ConsumerGroupMetadata group, Map<Integer, Long> epochs) {
        /// Copies the map.
        public Snapshot {
            epochs = Map.copyOf(epochs);
        }

        /// True if the assignment under which `position` was read still holds.
        public boolean owns(Position position) {
            return owns(position.partition(), position.epoch());
        }

        /// True if exactly this assignment of the partition still holds.
        public boolean owns(int partition, long epoch) {
            Long owned = epochs.get(partition);
            return owned != null && owned == epoch;
        }
    }
}
