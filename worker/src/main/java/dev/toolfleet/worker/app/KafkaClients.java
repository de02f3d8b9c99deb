package dev.toolfleet.worker.app;

import java.util.Map;

import dev.toolfleet.topic.Topic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Makes the worker's Kafka clients, with the timeouts of DESIGN 4. What the engine depends on cannot be overridden by
/// `kafka.properties`; everything else can.
final class KafkaClients {
    private static final int HEARTBEAT_MILLIS = 500;
    private static final int MAX_POLL_RECORDS = 500;

    private final WorkerConfig config;

    KafkaClients(WorkerConfig config) {
        this.config = config;
    }

    /// The group's member, for the poll loop.
    Consumer<byte[], byte[]> groupMember() {
        Map<String, Object> properties = reader("poll");
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, config.identity().group());
        properties.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_POLL_RECORDS);
        properties.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, config.identity().protocol());
        if (config.identity().protocol().equalsIgnoreCase("classic")) {
            properties.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                    CooperativeStickyAssignor.class.getName());
            properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MILLIS);
            properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                    (int) config.identity().sessionTimeout().toMillis());
        }
        return consumer(properties);
    }

    /// Asks for the group's offsets without joining it.
    Consumer<byte[], byte[]> offsetReader() {
        Map<String, Object> properties = reader("offsets");
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, config.identity().group());
        return consumer(properties);
    }

    /// Reads state topics, without a group.
    Consumer<byte[], byte[]> stateReader() {
        return consumer(reader("state"));
    }

    /// The producer of a transactional id; they must not change with a restart, so that a new start fences the old one.
    Producer<byte[], byte[]> transactional(int number) {
        Map<String, Object> properties = config.kafka().clientProperties();
        properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                config.identity().group() + "." + config.identity().name() + "." + number);
        properties.put(ProducerConfig.CLIENT_ID_CONFIG, config.identity().name() + "-transactions-" + number);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 10_000);
        properties.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        properties.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 8_000);
        properties.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, 8_000);
        properties.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, 128 * 1024);
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topic.MAX_WRAPPING_RECORD_BYTES);
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private Map<String, Object> reader(String purpose) {
        Map<String, Object> properties = config.kafka().clientProperties();
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, config.identity().name() + "-" + purpose);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return properties;
    }

    private static Consumer<byte[], byte[]> consumer(Map<String, Object> properties) {
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
