package dev.toolfleet.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.toolfleet.topic.Topics;

/// Settings of a [ToolFleetClient].
///
/// @param name names this client in `ce_source`, thread names and log lines
/// @param topics the fleet's topic names
/// @param properties Kafka client properties, passed through: `bootstrap.servers`, TLS, SASL, a partitioner; those that
///        the client's promises rest on (`acks`, `isolation.level`, …) cannot be changed
/// @param callTimeout until the first result of a call that has neither a deadline nor a timeout of its own
/// @param pendingTimeout from a pending result to the final one, for such a call
/// @param stepTimeout until a step's catalog
/// @param brokerTimeout the limit for an answer of the broker
public record ClientConfig(String name, Topics topics, Map<String, String> properties, Duration callTimeout,
        Duration pendingTimeout, Duration stepTimeout, Duration brokerTimeout) {

    /// Checks every value.
    public ClientConfig {
        properties = Map.copyOf(properties);
        if (!name.matches("[A-Za-z0-9._-]{1,100}")) {
            throw new IllegalArgumentException("client name '" + name
                    + "' is not allowed: letters, digits, '.', '_' and '-', 1 to 100 characters");
        }
        String servers = properties.get("bootstrap.servers");
        if (servers == null || servers.isBlank())
            throw new IllegalArgumentException("bootstrap.servers is missing; give host:port of a Kafka broker");
        positive("callTimeout", callTimeout);
        positive("pendingTimeout", pendingTimeout);
        positive("stepTimeout", stepTimeout);
        positive("brokerTimeout", brokerTimeout);
    }

    /// A client of the fleet without topic prefix at these brokers, with a name of `agent-runtime`.
    public static ClientConfig of(String bootstrapServers) {
        // bash may run 10 minutes and async tools 24 hours by default; both may wait in a lane before.
        return new ClientConfig("agent-runtime", new Topics(""), Map.of("bootstrap.servers", bootstrapServers),
                Duration.ofMinutes(15), Duration.ofHours(25), Duration.ofSeconds(15), Duration.ofSeconds(10));
    }

    /// The same with another name.
    public ClientConfig named(String newName) {
        return new ClientConfig(newName, topics, properties, callTimeout, pendingTimeout, stepTimeout, brokerTimeout);
    }

    /// The same for another fleet's topics.
    public ClientConfig on(Topics newTopics) {
        return new ClientConfig(name, newTopics, properties, callTimeout, pendingTimeout, stepTimeout, brokerTimeout);
    }

    /// The same with more Kafka client properties.
    public ClientConfig with(Map<String, String> more) {
        Map<String, String> merged = new HashMap<>(properties);
        merged.putAll(more);
        return new ClientConfig(name, topics, merged, callTimeout, pendingTimeout, stepTimeout, brokerTimeout);
    }

    /// The same with other times to wait for results: the first, and the final one after a pending one.
    public ClientConfig waiting(Duration newCallTimeout, Duration newPendingTimeout) {
        return new ClientConfig(name, topics, properties, newCallTimeout, newPendingTimeout, stepTimeout,
                brokerTimeout);
    }

    /// The same with another time to wait for a step's catalog.
    public ClientConfig waitingForCatalogs(Duration newStepTimeout) {
        return new ClientConfig(name, topics, properties, callTimeout, pendingTimeout, newStepTimeout, brokerTimeout);
    }

    /// The same with another time to wait for the broker.
    public ClientConfig waitingForBroker(Duration newBrokerTimeout) {
        return new ClientConfig(name, topics, properties, callTimeout, pendingTimeout, stepTimeout, newBrokerTimeout);
    }

    private static void positive(String key, Duration value) {
        if (value.isNegative() || value.isZero())
            throw new IllegalArgumentException(key + " must be positive, got " + value);
    }
}
