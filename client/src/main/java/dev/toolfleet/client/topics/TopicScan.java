package dev.toolfleet.client.topics;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Reads the present records of topics: committed records, without a consumer group, from given offsets to the
/// partitions' present ends. Holds only the records under way, about 1 MB a partition.
///
/// **Contract.** Every method fails with a [org.apache.kafka.common.KafkaException] when the broker does not answer, or
/// returns nothing more, during the timeout.
///
/// **Threads.** Not thread-safe except for [#stop].
public final class TopicScan implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);

    /// Receives records, those of a partition in their order.
    @FunctionalInterface
    public interface Sink {
        /// One record.
        void accept(ConsumerRecord<byte[], byte[]> record);
    }

    /// Receives the progress of a scan, several times a second.
    @FunctionalInterface
    public interface Gauge {
        /// Ignores the progress.
        Gauge SILENT = (topic, read, all) -> {};

        /// Receives the progress.
        ///
        /// @param topic the topic being read
        /// @param read number of offsets already read
        /// @param all number of offsets to read
        void reading(String topic, long read, long all);
    }

    private static final int FETCH_WAIT_MILLIS = 20;

    private final Consumer<byte[], byte[]> consumer;
    private final Duration timeout;
    private final Gauge gauge;

    TopicScan(Consumer<byte[], byte[]> consumer, Duration timeout, Gauge gauge) {
        this.consumer = consumer;
        this.timeout = timeout;
        this.gauge = gauge;
    }

    /// Opens a scan with a connection of its own.
    ///
    /// @param properties Kafka client properties
    /// @param timeout the longest silence of the broker
    public static TopicScan open(Map<String, ?> properties, Duration timeout, Gauge gauge) {
        Map<String, Object> config = new HashMap<>(properties);
        config.remove("group.id");
        config.remove("group.instance.id");
        config.put("isolation.level", "read_committed");
        config.put("enable.auto.commit", false);
        config.put("allow.auto.create.topics", false);
        config.put("auto.offset.reset", "earliest");
        // A scan knows its end. Otherwise: a request beyond it delays the close.
        config.put("fetch.max.wait.ms", FETCH_WAIT_MILLIS);
        config.put("default.api.timeout.ms", Math.toIntExact(timeout.toMillis()));
        return new TopicScan(new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
                timeout, gauge);
    }

    /// All partitions of a topic that exists.
    public List<TopicPartition> partitions(String topic) {
        List<PartitionInfo> found = consumer.partitionsFor(topic);
        return found.stream().map(info -> new TopicPartition(topic, info.partition())).toList();
    }

    /// Returns the first offsets of the partitions.
    public Map<TopicPartition, Long> beginnings(Collection<TopicPartition> partitions) {
        return consumer.beginningOffsets(partitions);
    }

    /// Returns the present ends of the committed records of the partitions.
    public Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
        return consumer.endOffsets(partitions);
    }

    /// Returns the first offset of each partition with a timestamp of `time` or later; the partition's end when there
    /// is none.
    public Map<TopicPartition, Long> since(Collection<TopicPartition> partitions, Instant time) {
        Map<TopicPartition, Long> asked = new HashMap<>();
        partitions.forEach(partition -> asked.put(partition, Math.max(0, time.toEpochMilli())));
        Map<TopicPartition, Long> offsets = new HashMap<>(ends(partitions));
        Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(asked);
        found.forEach((partition, at) -> {
            // Kafka maps a partition without such a record to null.
            if (at != null)
                offsets.put(partition, at.offset());
        });
        return offsets;
    }

    /// Passes the records between `from` and the present end to `sink`.
    ///
    /// @return that end, from which a later call may continue
    public Map<TopicPartition, Long> read(Map<TopicPartition, Long> from, Sink sink) {
        return from.isEmpty() ? Map.of() : read(from, ends(from.keySet()), sink);
    }

    /// Reads up to ends that the caller knows. It waits for an end that lies behind an open transaction.
    ///
    /// @param ends of all partitions of `from`
    /// @return `ends`
    public Map<TopicPartition, Long> read(Map<TopicPartition, Long> from, Map<TopicPartition, Long> ends, Sink sink) {
        consumer.assign(from.keySet());
        from.forEach(consumer::seek);
        long all = distance(from, ends);
        String topic = from.keySet().iterator().next().topic();
        long behind = -1;
        long quietSince = System.nanoTime();
        while (true) {
            Map<TopicPartition, Long> here = positions(from.keySet());
            long left = distance(here, ends);
            gauge.reading(topic, all - left, all);
            if (left == 0)
                return ends;
            if (left != behind) {
                behind = left;
                quietSince = System.nanoTime();
            } else if (System.nanoTime() - quietSince > timeout.toNanos()) {
                throw new TimeoutException("topic " + topic + " could not be read to its end: nothing came for "
                        + FleetTopics.text(timeout) + ", " + left + " offsets before it");
            }
            consumer.poll(POLL).forEach(record -> {
                if (record.offset() < ends.getOrDefault(partition(record), 0L))
                    sink.accept(record);
            });
        }
    }

    /// Makes a method that runs on another thread fail at once, or else the next one.
    public void stop() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
    }

    private Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) {
        Map<TopicPartition, Long> positions = new HashMap<>();
        partitions.forEach(partition -> positions.put(partition, consumer.position(partition)));
        return positions;
    }

    private static long distance(Map<TopicPartition, Long> from, Map<TopicPartition, Long> to) {
        return from.entrySet().stream()
                .mapToLong(start -> Math.max(0, to.getOrDefault(start.getKey(), 0L) - start.getValue())).sum();
    }

    private static TopicPartition partition(ConsumerRecord<?, ?> record) {
        return new TopicPartition(record.topic(), record.partition());
    }
}
