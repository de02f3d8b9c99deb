package dev.toolfleet.client.topics;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Reader of topics without a consumer group: between offsets that the caller knows ([#read]), or on and on ([#follow],
/// [#poll]).
///
/// **Contract.** A read hands out every record from `from` up to, and without, `ends`, those of a partition in their
/// order. It ends at `ends` also where no record lies before it: in an empty partition, in a compacted one, and behind
/// markers of transactions. Records that retention removes meanwhile are skipped. A scan of committed records waits for
/// transactions that are open before `ends`; a scan of all records ([#ofEverything]) does not, and also hands out what
/// is aborted later. Nothing is kept but the records under way, about 1 MB for each partition. A method fails with a
/// [org.apache.kafka.common.KafkaException] when the broker does not answer for as long as the timeout, and a read with
/// a [TimeoutException] when no offset was passed during the timeout. The gauge is called several times a second during
/// a read.
///
/// **Threads.** One thread at a time; [#stop] may be called by any.
public final class TopicScan implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final String COMMITTED = "read_committed";
    private static final String EVERYTHING = "read_uncommitted";

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
    private static final Duration END_PATIENCE = Duration.ofSeconds(10);

    private final Map<String, Object> config;
    private final Consumer<byte[], byte[]> consumer;
    private final Duration timeout;
    private final Gauge gauge;

    private TopicScan(Map<String, ?> properties, String isolation, Duration timeout, Gauge gauge) {
        config = new HashMap<>(properties);
        config.remove("group.id");
        config.remove("group.instance.id");
        config.put("isolation.level", isolation);
        config.put("enable.auto.commit", false);
        config.put("allow.auto.create.topics", false);
        config.put("auto.offset.reset", "earliest");
        config.put("default.api.timeout.ms", Math.toIntExact(timeout.toMillis()));
        consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.timeout = timeout;
        this.gauge = gauge;
    }

    /// A scan of committed records, with a connection of its own.
    ///
    /// @param properties Kafka client properties
    /// @param timeout the longest silence of the broker
    public static TopicScan open(Map<String, ?> properties, Duration timeout, Gauge gauge) {
        return new TopicScan(brief(properties), COMMITTED, timeout, gauge);
    }

    /// A scan of all records, those of open and of aborted transactions too.
    ///
    /// @param properties Kafka client properties
    /// @param timeout how long the broker may be silent
    public static TopicScan ofEverything(Map<String, ?> properties, Duration timeout) {
        return new TopicScan(brief(properties), EVERYTHING, timeout, Gauge.SILENT);
    }

    /// A scan of committed records that begins to follow these partitions from their beginnings.
    ///
    /// @param properties Kafka client properties
    /// @param timeout how long the broker may be silent
    public static TopicScan following(Map<String, ?> properties, Duration timeout,
            Collection<TopicPartition> partitions) {
        TopicScan scan = follower(properties, timeout);
        try {
            scan.follow(scan.beginnings(partitions));
            return scan;
        } catch (RuntimeException e) {
            scan.close();
            throw e;
        }
    }

    /// A scan of committed records that is about to [#follow].
    ///
    /// @param properties Kafka client properties
    /// @param timeout how long the broker may be silent
    public static TopicScan follower(Map<String, ?> properties, Duration timeout) {
        return new TopicScan(properties, COMMITTED, timeout, Gauge.SILENT);
    }

    /// A read knows its end; a request that waits for records beyond it would delay the close.
    private static Map<String, Object> brief(Map<String, ?> properties) {
        Map<String, Object> brief = new HashMap<>(properties);
        brief.put("fetch.max.wait.ms", FETCH_WAIT_MILLIS);
        return brief;
    }

    /// The first `count` partitions of a topic, without asking the broker.
    public static List<TopicPartition> partitions(String topic, int count) {
        return IntStream.range(0, count).mapToObj(number -> new TopicPartition(topic, number)).toList();
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

    /// The ends of the partitions with all records, those of open transactions too.
    ///
    /// @throws KafkaException when the broker does not answer; never a [TimeoutException]
    public Map<TopicPartition, Long> writtenEnds(Collection<TopicPartition> partitions) {
        try (TopicScan all = ofEverything(config, END_PATIENCE)) {
            return all.ends(partitions);
        } catch (TimeoutException e) {
            throw new KafkaException("the end of " + partitions.iterator().next().topic() + " is unknown: " + e, e);
        }
    }

    /// The first offset of each partition that is of `time` or later, by the records' timestamps; where the partition
    /// ends when there is none.
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

    /// Hands `sink` the records between `from` and the present end.
    ///
    /// @return that end, from which a later call may continue
    public Map<TopicPartition, Long> read(Map<TopicPartition, Long> from, Sink sink) {
        return from.isEmpty() ? Map.of() : read(from, ends(from.keySet()), sink);
    }

    /// Hands `sink` all records of a topic that exists, from its beginning to its present end.
    public void read(String topic, Sink sink) {
        read(beginnings(partitions(topic)), sink);
    }

    /// Hands `sink` the records between `from` and `ends`; returns at once when `from` names no partition.
    ///
    /// @param ends of all partitions of `from`
    /// @return `ends`
    public Map<TopicPartition, Long> read(Map<TopicPartition, Long> from, Map<TopicPartition, Long> ends, Sink sink) {
        if (from.isEmpty())
            return ends;
        follow(from);
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

    /// Goes to these offsets, from which [#poll] goes on.
    public void follow(Map<TopicPartition, Long> from) {
        consumer.assign(from.keySet());
        from.forEach(consumer::seek);
    }

    /// The records that follow, those of a partition in their order; waits for the first one at most as long as `wait`.
    public ConsumerRecords<byte[], byte[]> poll(Duration wait) {
        return consumer.poll(wait);
    }

    /// Hands `sink` the records that follow, up to the present end.
    public void readRest(Sink sink) {
        read(positions(consumer.assignment()), sink);
    }

    /// True if [#poll] has passed all records before these ends.
    public boolean isAt(Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
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
