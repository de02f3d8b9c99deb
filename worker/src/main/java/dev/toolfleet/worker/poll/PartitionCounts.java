package dev.toolfleet.worker.poll;

import java.util.Map;

import dev.toolfleet.worker.commit.PartitionListener.Hold;

/// How many partitions a worker owns, and how they stand.
///
/// @param member whether the worker is a member of its group, and the group has heard of it
/// @param owned assigned to it
/// @param started of these, those whose take-over is complete
/// @param held of these, those that are not read, by reason
public record PartitionCounts(boolean member, int owned, int started, Map<Hold, Integer> held) {
    /// Before the worker has joined its group.
    static final PartitionCounts NONE = new PartitionCounts(false, 0, 0, Map.of());

    /// Copies the map.
    public PartitionCounts {
        held = Map.copyOf(held);
    }

    /// Whether the worker is in its group and each of its partitions has started; also true for a spare worker.
    public boolean allStarted() {
        return member && started == owned;
    }

    /// How many are held for a reason.
    public int held(Hold why) {
        return held.getOrDefault(why, 0);
    }
}
