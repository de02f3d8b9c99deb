package dev.toolfleet.catalog.sweep;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/// Reads partitions from an offset to their end. For one thread.
final class TopicReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration STUCK = Duration.ofSeconds(30);
    private static final Duration CLOSE = Duration.ofSeconds(2);

    private final KafkaConsumer<String, byte[]> committed;
    private final KafkaConsumer<String, byte[]> everything;

    /// @param kafka client properties, `bootstrap.servers` among them
    TopicReader(Map<String, String> kafka) {
        committed = consumer(kafka, "read_committed");
        everything = consumer(kafka, "read_uncommitted");
    }

    private static KafkaConsumer<String, byte[]> consumer(Map<String, String> kafka, String isolation) {
        Map<String, Object> properties = new HashMap<>(kafka);
        properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return new KafkaConsumer<>(properties, new StringDeserializer(), new ByteArrayDeserializer());
    }

    List<TopicPartition> partitions(String topic) {
        return committed.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition())).toList();
    }

    /// Reads the committed records from the beginning. Every transaction that was open at the start has ended when it
    /// returns. It reads on to a second end: a record that compaction removed ahead of it has its successor beyond the
    /// first.
    ///
    /// @return the offset up to which it has read
    /// @throws IllegalStateException when it makes no progress
    long committed(TopicPartition partition, Consumer<ConsumerRecord<String, byte[]>> each) {
        committed.assign(List.of(partition));
        committed.seekToBeginning(List.of(partition));
        read(committed, partition, end(partition), each);
        read(committed, partition, end(partition), each);
        return committed.position(partition);
    }

    /// Reads all records between two offsets, also those of open or aborted transactions.
    ///
    /// @param until behind the last one
    /// @throws IllegalStateException when it makes no progress
    void everything(TopicPartition partition, long from, long until, Consumer<ConsumerRecord<String, byte[]>> each) {
        everything.assign(List.of(partition));
        everything.seek(partition, from);
        read(everything, partition, until, each);
    }

    /// Returns the end of all records, committed or not.
    private long end(TopicPartition partition) {
        return everything.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    }

    private static void read(KafkaConsumer<String, byte[]> consumer, TopicPartition partition, long until,
            Consumer<ConsumerRecord<String, byte[]>> each) {
        long moved = System.nanoTime();
        long position = consumer.position(partition);
        while (position < until) {
            consumer.poll(POLL).forEach(each);
            long now = consumer.position(partition);
            if (now > position) {
                position = now;
                moved = System.nanoTime();
            } else if (System.nanoTime() - moved > STUCK.toNanos()) {
                throw new IllegalStateException(partition + " could not be read beyond offset " + position + " of "
                        + until + " within " + STUCK.toSeconds() + " s; does a transaction stay open?");
            }
        }
    }

    @Override
    public void close() {
        committed.close(CloseOptions.timeout(CLOSE));
        everything.close(CloseOptions.timeout(CLOSE));
    }
}
