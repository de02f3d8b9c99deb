package dev.toolfleet.streams;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/// Progress of the stores that are read back from their changelogs.
///
/// **Threads.** Kafka Streams' threads report, any thread reads.
///
/// **Why.** Kafka Streams' own metric of what remains begins with offsets and goes down by records, so the marks of
/// transactions stay in it for good.
final class RestoreProgress implements StateRestoreListener {
    private final Map<TopicPartition, Span> spans = new ConcurrentHashMap<>();

    /// @param next the first offset that was not read yet
    /// @param end the offset behind the last
    private record Span(long next, long end) {
        long left() {
            return Math.max(0, end - next);
        }
    }

    /// Returns the offsets that are yet to be read, transactions' marks too.
    long left() {
        return spans.values().stream().mapToLong(Span::left).sum();
    }

    @Override
    public void onRestoreStart(TopicPartition changelog, String store, long begin, long end) {
        spans.put(changelog, new Span(begin, end));
    }

    @Override
    public void onBatchRestored(TopicPartition changelog, String store, long last, long count) {
        spans.computeIfPresent(changelog, (_, span) -> new Span(last + 1, span.end()));
    }

    @Override
    public void onRestoreSuspended(TopicPartition changelog, String store, long total) {
        spans.remove(changelog);
    }

    @Override
    public void onRestoreEnd(TopicPartition changelog, String store, long total) {
        spans.remove(changelog);
    }
}
