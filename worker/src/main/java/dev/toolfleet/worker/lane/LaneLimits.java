package dev.toolfleet.worker.lane;

import dev.toolfleet.worker.assignment.Load;

/// Bounds on the calls that a worker takes in before it pauses partitions.
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

    /// True if a partition may take one more call.
    ///
    /// A partition's share is an equal part of the whole, at least one call, so that a full partition cannot starve the
    /// others. A record larger than the byte bound passes if no other call is in flight. Otherwise: it never runs.
    ///
    /// No partition has more calls in flight than its share, even while it cannot commit and does not count in `all`.
    /// The next owner relies on that bound: its owner's death loses no more calls (`docs/decisions/0055`).
    ///
    /// @param partitions number of owned partitions
    /// @param own load in flight of this partition
    /// @param all load in flight of the worker, without partitions that cannot commit
    boolean admits(int partitions, Load own, Load all) {
        if (all.calls() == 0 && own.calls() == 0)
            return true;
        int share = Math.max(1, maxInFlight / Math.max(1, partitions));
        return all.calls() < maxInFlight && own.calls() < share && all.bytes() < maxInFlightBytes;
    }
}
