package dev.toolfleet.worker.poll;

import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.worker.commit.PartitionListener.Hold;

/// Counts of the partitions that a worker owns, by state.
///
/// @param member whether the worker is a member of its group, and the group has heard of it
/// @param owned partitions that are assigned to it
/// @param started those of them whose take-over is complete
/// @param held those of them that are not read, by reason
/// @param readings the reading state of each
public record OwnershipCounts(boolean member, int owned, int started, Map<Hold, Integer> held,
        List<Reading> readings) {
    /// Counts before the worker has joined its group.
    static final OwnershipCounts NONE = new OwnershipCounts(false, 0, 0, Map.of());

    /// Copies the collections.
    public OwnershipCounts {
        held = Map.copyOf(held);
        readings = List.copyOf(readings);
    }

    /// Creates counts without readings.
    public OwnershipCounts(boolean member, int owned, int started, Map<Hold, Integer> held) {
        this(member, owned, started, held, List.of());
    }

    /// Reading state of one partition.
    ///
    /// @param started whether its take-over is complete
    /// @param holds the reasons why it is not read; empty while it is
    /// @param refused calls that were read and are not taken in yet; the partition is not read meanwhile
    public record Reading(int partition, long epoch, boolean started, Set<Hold> holds, int refused) {
        /// Copies the reasons. The poll loop makes this record for every partition in every turn, nearly always without
        /// reasons.
        public Reading {
            holds = holds.isEmpty() ? Set.of() : Set.copyOf(holds);
        }

        /// True if the partition is held for a reason.
        public boolean held() {
            return !holds.isEmpty();
        }
    }

    /// True if the worker is in its group and each of its partitions has started, except those that it never starts.
    /// Also true for a spare worker.
    public boolean allStarted() {
        return member && started + held(Hold.UNEXPECTED) == owned;
    }

    /// Returns the number of partitions that are held for a reason.
    public int held(Hold why) {
        return held.getOrDefault(why, 0);
    }
}
