package dev.toolfleet.worker.commit;

import java.time.Duration;

import dev.toolfleet.worker.assignment.Position.Source;
import org.apache.kafka.common.TopicPartition;

/// Sizes and waiting times of the transaction loop.
///
/// @param callTopic the topic of calls, whose offsets are committed
/// @param resumedTopic the topic of resumed calls, whose offsets are committed too
/// @param linger the wait of a small batch for more outcomes
/// @param lingerBelow outcomes from which on a batch does not wait
/// @param maxMetadata the longest commit metadata
/// @param maxEntries most outcomes, journal records and hand-overs of one transaction
/// @param maxBytes most bytes of their records; one outcome that has more goes alone
public record CommitConfig(String callTopic, String resumedTopic, Duration linger, int lingerBelow,
        int maxMetadata, int maxEntries, long maxBytes) {
    /// A broker that accepts 1 MB/s has this written within the producer's delivery timeout of 8 s.
    private static final long MAX_BYTES = 8L << 20;
    /// The default of calls in flight (`worker.maxInFlight`): a smaller limit costs a drain a third of its speed.
    private static final int MAX_ENTRIES = 10_000;

    /// Creates a configuration with the default size of transactions.
    public CommitConfig(String callTopic, String resumedTopic, Duration linger, int lingerBelow, int maxMetadata) {
        this(callTopic, resumedTopic, linger, lingerBelow, maxMetadata, MAX_ENTRIES, MAX_BYTES);
    }

    /// Returns the defaults; for the size of transactions see `docs/decisions/0049`.
    public static CommitConfig of(String callTopic, String resumedTopic) {
        return new CommitConfig(callTopic, resumedTopic, Duration.ofMillis(2), 64, DoneOffsets.MAX_METADATA);
    }

    /// Returns a partition of one of the two topics.
    TopicPartition on(Source source, int partition) {
        return new TopicPartition(switch (source) {
            case CALLS -> callTopic;
            case RESUMED -> resumedTopic;
        }, partition);
    }
}
