package dev.toolfleet.wire;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Frontier of a partition: its lowest unfinished call, and the log for which that holds. On `tool.journal` under the
/// reserved key [#KEY], written in the transaction that commits the group's offset: about once a minute and with the
/// first commit of an assignment. It outlives the group's offsets. So an owner can see that these expired, were set
/// back, or belong to a log that is gone.
///
/// @param offset the lowest offset of `tool.call` that is not finished
/// @param appendedAt every call at or behind `offset` was appended at this time or later, by the clock of `tool.call`
/// @param topicId Kafka's id of `tool.call`; another one means another log
/// @param leaderEpoch the newest leader epoch of `tool.call` that was read; absent when none was
/// @param resumedTopicId the same id of `tool.call.resumed`; absent when the writer left it out
/// @param clusterId the id of the Kafka cluster; absent when the writer left it out
public record PartitionFrontier(long offset, Instant appendedAt, String topicId, @Nullable Integer leaderEpoch,
        @Nullable String resumedTopicId, @Nullable String clusterId)
        implements
            JournalEntry {
    /// The key of its record. No call's identity equals it: those are JSON arrays.
    public static final String KEY = "@frontier";

    /// Checks that log and time are present.
    public PartitionFrontier {
        requireNonNull(appendedAt, "appendedAt");
        requireNonNull(topicId, "topicId");
        if (offset < 0)
            throw new IllegalArgumentException("offset must not be negative, got " + offset);
    }

    @Override
    public String key() {
        return KEY;
    }
}
