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

/// Reads what stands on topics at this moment: committed records, without a consumer group, from given offsets to where
/// the partitions end now. Holds no records but those under way, about 1 MB a partition. Not thread-safe but for
/// [#stop].
///
/// Every method fails with a [org.apache.kafka.common.KafkaException] when the broker does not answer, or has nothing
/// more to give, for as long as the timeout.
public final class TopicScan implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);

    /// Receives records, those of a partition in their order.
    @FunctionalInterface
    public interface Sink {
        /// One record.
        void accept(ConsumerRecord<byte[], byte[]> record);
    }

    /// Hears how far a scan is, several times a second.
    @FunctionalInterface
    public interface Gauge {
        /// Hears nothing.
        Gauge SILENT = (topic, read, all) -> {};

        /// How far it is.
        ///
        /// @param topic that is read
        /// @param read how many offsets lie behind
        /// @param all how many offsets are to be read
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

    /// A scan with a connection of its own.
    ///
    /// @param properties Kafka client properties
    /// @param timeout how long the broker may be silent
    public static TopicScan open(Map<String, ?> properties, Duration timeout, Gauge gauge) {
        Map<String, Object> config = new HashMap<>(properties);
        config.remove("group.id");
        config.remove("group.instance.id");
        config.put("isolation.level", "read_committed");
        config.put("enable.auto.commit", false);
        config.put("allow.auto.create.topics", false);
        config.put("auto.offset.reset", "earliest");
        // A scan knows where it ends; what was asked beyond it would hold its close up.
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

    /// Where the partitions begin.
    public Map<TopicPartition, Long> beginnings(Collection<TopicPartition> partitions) {
        return consumer.beginningOffsets(partitions);
    }

    /// Where the committed records of the partitions end now.
    public Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
        return consumer.endOffsets(partitions);
    }

    /// The first offset of each partition that is of `time` or later, by the records' timestamps; where the partition
    /// ends when there is none.
    public Map<TopicPartition, Long> since(Collection<TopicPartition> partitions, Instant time) {
        Map<TopicPartition, Long> asked = new HashMap<>();
        partitions.forEach(partition -> asked.put(partition, Math.max(0, time.toEpochMilli())));
        Map<TopicPartition, Long> offsets = new HashMap<>(ends(partitions));
        Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(asked);
        found.forEach((partition, at) -> {
            // Kafka maps to null what it did not find.
            if (at != null)
                offsets.put(partition, at.offset());
        });
        return offsets;
    }

    /// Hands `sink` what stands between `from` and the present end.
    ///
    /// @return that end, from which a later call may go on
    public Map<TopicPartition, Long> read(Map<TopicPartition, Long> from, Sink sink) {
        return from.isEmpty() ? Map.of() : read(from, ends(from.keySet()), sink);
    }

    /// The same up to ends that the caller knows. An end that lies behind a transaction that is still open is waited
    /// for.
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

    /// Makes a method that runs on another thread fail at once, or the next one.
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
