package dev.toolfleet.worker.assignment;

import java.time.Duration;

/// For how long the group has not heard of this worker, at least as far as the worker can know. Thread-safe and cheap.
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

    /// Whether the group may have given this worker's partitions to others.
    boolean expired();

    /// How long ago the group heard of it.
    Duration age();
}
