package dev.toolfleet.worker.poll;

import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.worker.commit.PartitionListener.Hold;

/// How many partitions a worker owns, and how they stand.
///
/// @param member whether the worker is a member of its group, and the group has heard of it
/// @param owned assigned to it
/// @param started of these, those whose take-over is complete
/// @param held of these, those that are not read, by reason
/// @param readings how each is read
public record PartitionCounts(boolean member, int owned, int started, Map<Hold, Integer> held,
        List<Reading> readings) {
    /// Before the worker has joined its group.
    static final PartitionCounts NONE = new PartitionCounts(false, 0, 0, Map.of());

    /// Copies the collections.
    public PartitionCounts {
        held = Map.copyOf(held);
        readings = List.copyOf(readings);
    }

    /// Without how each is read.
    public PartitionCounts(boolean member, int owned, int started, Map<Hold, Integer> held) {
        this(member, owned, started, held, List.of());
    }

    /// How one partition is read.
    ///
    /// @param started whether its take-over is complete
    /// @param holds the reasons why it is not read; empty while it is
    /// @param refused calls that were read and are not taken in yet; nothing is read meanwhile
    public record Reading(int partition, long epoch, boolean started, Set<Hold> holds, int refused) {
        /// Copies the reasons. Made for every partition in every turn of the poll loop, nearly always without any.
        public Reading {
            holds = holds.isEmpty() ? Set.of() : Set.copyOf(holds);
        }

        /// Whether it is not read for a reason.
        public boolean held() {
            return !holds.isEmpty();
        }
    }

    /// Whether the worker is in its group and each of its partitions has started, but for those that it never starts; also
    /// true for a spare worker.
    public boolean allStarted() {
        return member && started + held(Hold.UNEXPECTED) == owned;
    }

    /// How many are held for a reason.
    public int held(Hold why) {
        return held.getOrDefault(why, 0);
    }
}
