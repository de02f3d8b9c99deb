package dev.toolfleet.catalog.sweep;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.toolfleet.client.topics.TopicScan;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Reader of the topics that a sweep looks at. For one thread. Every method fails with a
/// [org.apache.kafka.common.KafkaException] when a broker does not answer, or a transaction stays open for too long.
final class TopicReader implements AutoCloseable {
    private static final Duration STUCK = Duration.ofSeconds(30);

    private final TopicScan committed;
    private final TopicScan everything;

    /// Receives the records that have a key; in compacted topics all have one.
    @FunctionalInterface
    interface Sink {
        void accept(String key, byte @Nullable [] value, Instant at);
    }

    /// @param kafka client properties, `bootstrap.servers` among them
    TopicReader(Map<String, String> kafka) {
        committed = TopicScan.open(kafka, STUCK, TopicScan.Gauge.SILENT);
        everything = TopicScan.ofEverything(kafka, STUCK);
    }

    List<TopicPartition> partitions(String topic) {
        return committed.partitions(topic);
    }

    /// Reads the committed records from the beginning. Every transaction that was open at the start has ended when it
    /// returns. It reads on to a second end: a record that compaction removed ahead of it has its successor beyond the
    /// first.
    ///
    /// @return the offset up to which it has read
    long committed(TopicPartition partition, Sink sink) {
        List<TopicPartition> one = List.of(partition);
        Map<TopicPartition, Long> first = committed.read(committed.beginnings(one), everything.ends(one), each(sink));
        return committed.read(first, everything.ends(one), each(sink)).getOrDefault(partition, 0L);
    }

    /// Reads all records between two offsets, also those of open or aborted transactions.
    ///
    /// @param until behind the last one
    void everything(TopicPartition partition, long from, long until, Sink sink) {
        everything.read(Map.of(partition, from), Map.of(partition, until), each(sink));
    }

    private static TopicScan.Sink each(Sink sink) {
        return record -> {
            if (record.key() != null)
                sink.accept(new String(record.key(), StandardCharsets.UTF_8), record.value(),
                        Instant.ofEpochMilli(record.timestamp()));
        };
    }

    @Override
    public void close() {
        committed.close();
        everything.close();
    }
}
