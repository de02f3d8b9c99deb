package dev.toolfleet.wire;

import java.time.Instant;

import static java.util.Objects.requireNonNull;

/// Owner of a partition, on `tool.journal` under the reserved key [#KEY]. Each assignment writes it before its first call
/// runs. An owner that gives the partition up in order deletes it in the transaction of its last offsets. So an entry of a
/// member that has left the group is that of an owner that died.
///
/// @param worker the owner's name
/// @param member the consumer group's member id of its process
/// @param since when the assignment began
/// @param maxInFlight how many calls of `tool.call` the owner may have taken in and not finished: no more than these can be
///        lost with it; 0 for an unknown number
public record PartitionOwner(String worker, String member, Instant since, int maxInFlight) implements JournalEntry {
    /// The key of its record, which no call's identity can be: those are JSON arrays.
    public static final String KEY = "@owner";

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
