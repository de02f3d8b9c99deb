package dev.toolfleet.wire;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Owner of a partition, on `tool.journal` under the reserved key [#KEY].
///
/// **Contract.** Each assignment writes the entry before its first call runs. An owner that gives the partition up in
/// order deletes it in the transaction of its last offsets, or puts back the entry of the dead owner that it had found.
/// So an entry of a member that has left the group belongs to an owner that died, and its calls may be unfinished.
///
/// @param worker the owner's name
/// @param member the consumer group's member id of its process
/// @param since the start of the assignment
/// @param maxInFlight the most calls of `tool.call` that the owner may have taken in and not finished: no more than
///        these can be lost with it; 0 for an unknown number
/// @param callsEnd the end of `tool.call` when the death was found; absent until then
/// @param resumedEnd the same of `tool.call.resumed`
/// @param dead the dead owner that this one found at its take-over; absent for none
public record PartitionOwner(String worker, String member, Instant since, int maxInFlight, @Nullable Long callsEnd,
        @Nullable Long resumedEnd, @Nullable PartitionOwner dead) implements JournalEntry {
    /// The key of its record. No call's identity equals it: those are JSON arrays.
    public static final String KEY = "@owner";

    /// Makes the entry of a living owner.
    public PartitionOwner(String worker, String member, Instant since, int maxInFlight, @Nullable PartitionOwner dead) {
        this(worker, member, since, maxInFlight, null, null, dead);
    }

    /// Returns the entry of a dead owner with the ends of its possible reading. Earlier ends stay, unless a topic is
    /// shorter now. The calls of the owner that died before it are among its own: it holds the larger of the two
    /// limits.
    public PartitionOwner diedBefore(long calls, long resumed) {
        return new PartitionOwner(worker, member, since, mostInFlight(),
                callsEnd == null ? calls : Math.min(callsEnd, calls),
                resumedEnd == null ? resumed : Math.min(resumedEnd, resumed), null);
    }

    private int mostInFlight() {
        if (dead == null)
            return maxInFlight;
        return maxInFlight == 0 || dead.maxInFlight == 0 ? 0 : Math.max(maxInFlight, dead.maxInFlight);
    }

    /// Checks that process and limit are present.
    public PartitionOwner {
        requireNonNull(worker, "worker");
        requireNonNull(member, "member");
        requireNonNull(since, "since");
        if (maxInFlight < 0)
            throw new IllegalArgumentException("maxInFlight must not be negative, got " + maxInFlight);
    }

    @Override
    public String key() {
        return KEY;
    }
}
