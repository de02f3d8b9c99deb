package dev.toolfleet.gateway.readmodel;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import dev.toolfleet.topic.Topics;

/// Settings of the read model of one gateway.
///
/// @param group the gateways' group; gateways of one group share the partitions
/// @param topics the fleet's topic names
/// @param kafka client properties, `bootstrap.servers` among them, passed through to every Kafka client and to Kafka
///        Streams
/// @param stateDir a folder for the stores, made when it is absent; only one process may use it, and its content may be
///        lost
/// @param retention the time for which an ended call is kept
/// @param replication copies of the internal topics; -1 for the broker's default
/// @param standbys replicas that hold a copy of each partition beside its owner, so that a crash costs no restoring
public record ReadModelConfig(String group, Topics topics, Map<String, String> kafka, Path stateDir,
        Duration retention, int replication, int standbys) {
    /// The default group.
    public static final String DEFAULT_GROUP = "toolfleet";
    /// The default of `gateway.retention`.
    public static final Duration DEFAULT_RETENTION = Duration.ofHours(24);
    /// The broker's default number of copies.
    public static final int DEFAULT_REPLICATION = -1;
    /// The default number of standbys. A single gateway has none, whatever the setting is.
    public static final int DEFAULT_STANDBYS = 1;

    private static final Duration MIN_RETENTION = Duration.ofMinutes(1);
    private static final Duration MAX_RETENTION = Duration.ofDays(7);
    private static final int MAX_STANDBYS = 5;

    /// Checks every setting.
    ///
    /// @throws IllegalArgumentException naming the setting and its value
    public ReadModelConfig {
        kafka = Map.copyOf(kafka);
        if (!group.matches("[a-zA-Z0-9._-]{1,100}"))
            throw wrong("gateway.group", group, "letters, digits, '.', '_' and '-', at most 100 characters");
        if (kafka.getOrDefault("bootstrap.servers", "").isBlank())
            throw wrong("kafka.bootstrap.servers", "", "the address of a broker, such as localhost:9092");
        if (retention.compareTo(MIN_RETENTION) < 0 || retention.compareTo(MAX_RETENTION) > 0)
            throw wrong("gateway.retention", retention.toString(),
                    "between 1 minute and 7 days, as long as tool.call keeps its records");
        if (replication != DEFAULT_REPLICATION && (replication < 1 || replication > Short.MAX_VALUE))
            throw wrong("gateway.replication", Integer.toString(replication),
                    "the number of copies, or -1 for the broker's default");
        if (standbys < 0 || standbys > MAX_STANDBYS)
            throw wrong("gateway.standbys", Integer.toString(standbys), "0 to " + MAX_STANDBYS);
    }

    /// Returns the id of the Kafka Streams application: its consumer group, and the prefix of its internal topics.
    public String applicationId() {
        return topics.prefix() + group + ".gateway";
    }

    private static IllegalArgumentException wrong(String key, String value, String expected) {
        return new IllegalArgumentException(key + " '" + value + "' is not allowed: " + expected);
    }
}
