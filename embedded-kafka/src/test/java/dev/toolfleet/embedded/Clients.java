package dev.toolfleet.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// The clients of one test: an administrator and a producer that live as long as this does, and readers that come and
/// go. Records go to partition 0.
final class Clients implements AutoCloseable {

    private final String servers;
    private final Admin admin;
    private final KafkaProducer<String, String> producer;

    Clients(EmbeddedKafka kafka) {
        this(kafka.bootstrapServers());
    }

    Clients(String servers) {
        this.servers = servers;
        this.admin = Admin.create(Map.of("bootstrap.servers", servers));
        this.producer = producer(Map.of());
    }

    void createTopic(String name) throws Exception {
        admin.createTopics(List.of(new NewTopic(name, Optional.empty(), Optional.empty()))).all().get();
        // The controller acknowledges before the broker knows it.
        while (!admin.listTopics().names().get().contains(name))
            Thread.sleep(5);
    }

    int partitions(String topic) throws Exception {
        return Objects.requireNonNull(admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic))
                .partitions().size();
    }

    String topicConfig(String topic, String name) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return Objects.requireNonNull(admin.describeConfigs(List.of(resource)).all().get().get(resource)).get(name)
                .value();
    }

    void send(String topic, String value) throws Exception {
        producer.send(record(topic, value)).get();
    }

    KafkaProducer<String, String> transactionalProducer(String id) {
        return producer(Map.of("transactional.id", id));
    }

    void inTransaction(KafkaProducer<String, String> transactional, String topic, String value, boolean commit)
            throws Exception {
        transactional.beginTransaction();
        transactional.send(record(topic, value)).get();
        if (commit) {
            transactional.commitTransaction();
        } else {
            transactional.abortTransaction();
        }
    }

    List<String> read(String topic, int count) {
        try (var consumer = consumer(Map.of())) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            return poll(consumer, count);
        }
    }

    List<String> readAsGroup(String group, String topic, int count) {
        try (var consumer = consumer(Map.of("group.id", group))) {
            consumer.subscribe(List.of(topic));
            List<String> values = poll(consumer, count);
            consumer.commitSync();
            return values;
        }
    }

    @Override
    public void close() {
        try (admin) {
            producer.close();
        }
    }

    private static List<String> poll(KafkaConsumer<String, String> consumer, int count) {
        List<String> values = new ArrayList<>();
        long giveUp = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (values.size() < count && System.nanoTime() < giveUp) {
            consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
        }
        return values;
    }

    private static ProducerRecord<String, String> record(String topic, String value) {
        return new ProducerRecord<>(topic, 0, "key", value);
    }

    private KafkaProducer<String, String> producer(Map<String, Object> more) {
        return new KafkaProducer<>(properties(more), new StringSerializer(), new StringSerializer());
    }

    private KafkaConsumer<String, String> consumer(Map<String, Object> more) {
        Map<String, Object> properties = properties(more);
        properties.put("isolation.level", "read_committed");
        properties.put("auto.offset.reset", "earliest");
        properties.put("enable.auto.commit", false);
        return new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
    }

    private Map<String, Object> properties(Map<String, Object> more) {
        Map<String, Object> properties = new HashMap<>(more);
        properties.put("bootstrap.servers", servers);
        return properties;
    }
}
