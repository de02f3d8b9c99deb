package dev.toolfleet.client;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.topic.Topic;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/// The properties of the client's producer and consumer. What the caller configured stands, but for what the client's
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
        // A stored position older than the topic's retention reads what is left.
        properties.put("auto.offset.reset", "earliest");
        properties.put("default.api.timeout.ms", Math.toIntExact(config.brokerTimeout().toMillis()));
        return properties;
    }

    /// Of what asks for the ends of partitions.
    static Map<String, Object> admin(ClientConfig config) {
        Map<String, Object> properties = new HashMap<>(config.properties());
        properties.keySet().removeIf(key -> (ProducerConfig.configNames().contains(key)
                || ConsumerConfig.configNames().contains(key)) && !AdminClientConfig.configNames().contains(key));
        properties.put("client.id", config.name() + "-ends");
        properties.put("default.api.timeout.ms", Math.toIntExact(config.brokerTimeout().toMillis()));
        properties.put("request.timeout.ms", Math.toIntExact(config.brokerTimeout().toMillis()));
        return properties;
    }

    /// Of a consumer that shares its topic with others of its group.
    static Map<String, Object> member(ClientConfig config, String group) {
        Map<String, Object> properties = consumer(config);
        properties.put("group.id", group);
        return properties;
    }

    /// All but what only the other client knows; what neither knows may belong to a class that is plugged in.
    private static Map<String, String> passedThrough(ClientConfig config, Set<String> others, Set<String> own) {
        Map<String, String> properties = new HashMap<>(config.properties());
        properties.keySet().removeIf(key -> others.contains(key) && !own.contains(key));
        return properties;
    }
}
