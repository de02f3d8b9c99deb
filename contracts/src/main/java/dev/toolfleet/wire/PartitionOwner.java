package dev.toolfleet.wire;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Owner of a partition, on `tool.journal` under the reserved key [#KEY]. Each assignment writes it before its first call
/// runs. An owner that gives the partition up in order deletes it in the transaction of its last offsets, or puts back the
/// entry of the dead owner that it had found. So an entry of a member that has left the group is that of an owner that died,
/// and calls that it had may be unfinished.
///
/// @param worker the owner's name
/// @param member the consumer group's member id of its process
/// @param since when the assignment began
/// @param maxInFlight how many calls of `tool.call` the owner may have taken in and not finished: no more than these can be
///        lost with it; 0 for an unknown number
/// @param callsEnd where `tool.call` ended when the death was found; absent until then
/// @param resumedEnd the same of `tool.call.resumed`
/// @param dead the dead owner that this one found when it took the partition over; absent when there was none
public record PartitionOwner(String worker, String member, Instant since, int maxInFlight, @Nullable Long callsEnd,
        @Nullable Long resumedEnd, @Nullable PartitionOwner dead) implements JournalEntry {
    /// The key of its record, which no call's identity can be: those are JSON arrays.
    public static final String KEY = "@owner";

    /// The entry of an owner that lives.
    public PartitionOwner(String worker, String member, Instant since, int maxInFlight, @Nullable PartitionOwner dead) {
        this(worker, member, since, maxInFlight, null, null, dead);
    }

    /// The entry of a dead owner, with what it can have read. Ends that were noted before stay, unless a topic is shorter
    /// now. The calls of the owner that died before it are among its own: it holds the larger of the two limits.
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

    /// Checks that the entry names a process and a limit.
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
