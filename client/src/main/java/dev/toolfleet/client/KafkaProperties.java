package dev.toolfleet.client;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.topic.Topic;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/// Properties of the client's producer and consumer. The caller's values are kept, except those that the client's
/// promises rest on.
final class KafkaProperties {
    private KafkaProperties() {}

    static Map<String, Object> producer(ClientConfig config) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("linger.ms", 0);
        properties.put("delivery.timeout.ms", 30_000);
        properties.put("request.timeout.ms", 10_000);
        properties.put("max.request.size", Topic.MAX_RECORD_BYTES);
        properties.putAll(passedThrough(config, ConsumerConfig.configNames(), ProducerConfig.configNames()));
        properties.put("client.id", config.name() + "-producer");
        properties.put("acks", "all");
        properties.put("enable.idempotence", true);
        properties.put("max.block.ms", config.brokerTimeout().toMillis());
        return properties;
    }

    static Map<String, Object> consumer(ClientConfig config) {
        Map<String, Object> properties = new HashMap<>(
                passedThrough(config, ProducerConfig.configNames(), ConsumerConfig.configNames()));
        properties.put("client.id", config.name() + "-consumer");
        properties.remove("group.id");
        properties.remove("group.instance.id");
        properties.put("enable.auto.commit", false);
        properties.put("allow.auto.create.topics", false);
        properties.put("isolation.level", "read_committed");
        // A stored position older than the topic's retention continues with the oldest record.
        properties.put("auto.offset.reset", "earliest");
        properties.put("default.api.timeout.ms", Math.toIntExact(config.brokerTimeout().toMillis()));
        return properties;
    }

    /// Properties of the client that reads the ends of partitions.
    static Map<String, Object> admin(ClientConfig config) {
        Map<String, Object> properties = new HashMap<>(config.properties());
        properties.keySet().removeIf(key -> (ProducerConfig.configNames().contains(key)
                || ConsumerConfig.configNames().contains(key)) && !AdminClientConfig.configNames().contains(key));
        properties.put("client.id", config.name() + "-ends");
        properties.put("default.api.timeout.ms", Math.toIntExact(config.brokerTimeout().toMillis()));
        properties.put("request.timeout.ms", Math.toIntExact(config.brokerTimeout().toMillis()));
        return properties;
    }

    /// Properties of a consumer that shares its topic with others of its group.
    static Map<String, Object> member(ClientConfig config, String group) {
        Map<String, Object> properties = consumer(config);
        properties.put("group.id", group);
        return properties;
    }

    /// Returns all properties except those that only the other client knows. Unknown ones are kept: a plugged-in class
    /// may use them.
    private static Map<String, String> passedThrough(ClientConfig config, Set<String> others, Set<String> own) {
        Map<String, String> properties = new HashMap<>(config.properties());
        properties.keySet().removeIf(key -> others.contains(key) && !own.contains(key));
        return properties;
    }
}
