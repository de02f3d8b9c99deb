package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

import dev.toolfleet.bench.fleet.CrashFleet;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Consumers of the run's topics, by hand and from the beginning, of committed transactions only.
final class CommittedReader {
    private CommittedReader() {}

    static KafkaConsumer<byte[], byte[]> of(String bootstrapServers, Collection<TopicPartition> partitions) {
        KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrapServers, "read_committed");
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        return consumer;
    }

    /// Where the topics end, open transactions included.
    static Map<TopicPartition, Long> ends(String bootstrapServers, Collection<TopicPartition> partitions) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrapServers, "read_uncommitted")) {
            return consumer.endOffsets(partitions, Duration.ofSeconds(30));
        }
    }

    private static KafkaConsumer<byte[], byte[]> consumer(String bootstrapServers, String isolation) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", bootstrapServers);
        properties.put("isolation.level", isolation);
        properties.put("auto.offset.reset", "earliest");
        properties.put("enable.auto.commit", false);
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /// The partitions of a topic that follows calls.
    static Collection<TopicPartition> partitions(String topic) {
        return IntStream.range(0, CrashFleet.PARTITIONS)
                .mapToObj(number -> new TopicPartition(topic, number)).toList();
    }
}
