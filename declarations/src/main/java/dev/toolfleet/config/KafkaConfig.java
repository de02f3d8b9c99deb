package dev.toolfleet.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/// Settings of Kafka clients.
///
/// @param bootstrapServers `host:port`, several between commas
/// @param properties client properties as Kafka names them, passed through to every client: TLS, SASL and so on
public record KafkaConfig(String bootstrapServers, Map<String, String> properties) {
    /// The default address of a broker.
    public static final String DEFAULT_BOOTSTRAP = "localhost:9092";

    /// Checks that there is an address, and one only.
    public KafkaConfig {
        if (bootstrapServers.isBlank())
            throw new ConfigException("kafka.bootstrapServers", bootstrapServers, "host:port, several between commas");
        if (properties.containsKey("bootstrap.servers"))
            throw new ConfigException("kafka.properties.bootstrap.servers", properties.get("bootstrap.servers"),
                    "nothing; the address stands in kafka.bootstrapServers");
        properties = Map.copyOf(properties);
    }

    /// Makes settings without further properties.
    public static KafkaConfig at(String bootstrapServers) {
        return new KafkaConfig(bootstrapServers, Map.of());
    }

    /// Reads the section `kafka`.
    public static KafkaConfig of(Settings settings) {
        KafkaConfig config = new KafkaConfig(settings.text("bootstrapServers", DEFAULT_BOOTSTRAP),
                settings.texts("properties"));
        settings.finish();
        return config;
    }

    /// Returns address and properties for a Kafka client, in a map that the caller may extend.
    public SequencedMap<String, Object> clientProperties() {
        SequencedMap<String, Object> all = new LinkedHashMap<>(properties);
        all.put("bootstrap.servers", bootstrapServers);
        return all;
    }

    @Override
    public String toString() {
        Map<String, String> shown = new LinkedHashMap<>(properties);
        shown.replaceAll(Secrets::masked);
        return "KafkaConfig[bootstrapServers=" + bootstrapServers + ", properties=" + shown + "]";
    }
}
