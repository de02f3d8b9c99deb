package dev.toolfleet.worker.lane;

import dev.toolfleet.worker.assignment.Load;

/// How much a worker takes in before it pauses partitions.
///
/// @param maxInFlight calls in this worker that are queued, run, or have ended and are not yet committed
/// @param maxInFlightBytes the same, by the size of their records
/// @param maxQueued calls that wait in one lane
public record LaneLimits(int maxInFlight, long maxInFlightBytes, int maxQueued) {
    /// Checks the ranges.
    public LaneLimits {
        if (maxInFlight < 1)
            throw new IllegalArgumentException("worker.maxInFlight must be at least 1, got " + maxInFlight);
        if (maxInFlightBytes < 1) {
            throw new IllegalArgumentException("worker.maxInFlightBytes must be at least 1, got " + maxInFlightBytes);
        }
        if (maxQueued < 1)
            throw new IllegalArgumentException("worker.lane.maxQueued must be at least 1, got " + maxQueued);
    }

    /// Whether a partition may take one more call.
    ///
    /// A partition's share is an equal part of the whole, at least one call, so that a full one cannot starve its
    /// sisters. A record larger than the byte bound passes when nothing else is in flight; otherwise it could never
    /// run.
    ///
    /// No partition has more in flight than the whole may have, also while it cannot commit and does not count in `all`:
    /// with its owner's death no more calls are lost, which is what its heir relies on (decision 55).
    ///
    /// @param partitions how many partitions are owned
    /// @param own what is in flight of this partition
    /// @param all what is in flight in the worker, but for partitions that cannot commit
    boolean admits(int partitions, Load own, Load all) {
        if (all.calls() == 0 && own.calls() == 0)
            return true;
        int share = Math.max(1, maxInFlight / Math.max(1, partitions));
        return all.calls() < maxInFlight && own.calls() < share && all.bytes() < maxInFlightBytes;
    }
}
