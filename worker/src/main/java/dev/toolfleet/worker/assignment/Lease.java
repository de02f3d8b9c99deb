package dev.toolfleet.worker.assignment;

import java.time.Duration;

/// Lease of a worker's membership: the time since the group heard of this worker, as far as the worker can know.
/// Thread-safe and cheap.
public interface Lease {
    /// For a worker without a group.
    Lease ENDLESS = new Lease() {
        @Override
        public boolean expired() {
            return false;
        }

        @Override
        public Duration age() {
            return Duration.ZERO;
        }
    };

    /// True if the group may have given this worker's partitions to others.
    boolean expired();

    /// Returns the time since the group heard of it.
    Duration age();
}
