package dev.toolfleet.catalog.app;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.topic.Topics;

/// Settings of a catalog service.
///
/// @param group the fleet's group; services of one group share the work
/// @param topics the fleet's topic names
/// @param kafka client properties, `bootstrap.servers` among them, passed through to every Kafka client and to Kafka
///        Streams
/// @param stateDir a folder for the store of newest steps, made when it is absent; only one process may use it, and its
///        content may be lost
/// @param retention how long an untouched step's catalog stays
/// @param replication copies of the service's own changelog topics; -1 for the broker's default
/// @param bundles the folder with one folder per bundle for its files; for the code of its Extensions
/// @param trust the bundles that count
public record CatalogConfig(String group, Topics topics, Map<String, String> kafka, Path stateDir, Duration retention,
        int replication, Path bundles, BundleTrust trust) {
    /// The default group.
    public static final String DEFAULT_GROUP = "toolfleet";
    /// The default of `catalog.retention` (`docs/configuration.md`).
    public static final Duration DEFAULT_RETENTION = Duration.ofHours(24);
    /// The default folder of bundles; the workers' too.
    public static final Path DEFAULT_BUNDLES = Path.of("bundles");
    /// The broker's default number of copies.
    public static final int DEFAULT_REPLICATION = -1;

    private static final Duration MIN_RETENTION = Duration.ofSeconds(1);
    private static final Duration MAX_RETENTION = Duration.ofDays(3650);

    /// Checks every setting.
    ///
    /// @throws IllegalArgumentException naming the setting and its value
    public CatalogConfig {
        kafka = Map.copyOf(kafka);
        if (!group.matches("[a-zA-Z0-9._-]{1,100}"))
            throw wrong("group", group, "letters, digits, '.', '_' and '-', at most 100 characters");
        if (kafka.getOrDefault("bootstrap.servers", "").isBlank())
            throw wrong("kafka.bootstrap.servers", "", "the address of a broker, such as localhost:9092");
        if (retention.compareTo(MIN_RETENTION) < 0 || retention.compareTo(MAX_RETENTION) > 0)
            throw wrong("catalog.retention", retention.toString(), "between 1 second and 10 years");
        if (replication != DEFAULT_REPLICATION && (replication < 1 || replication > Short.MAX_VALUE))
            throw wrong("catalog.replication", Integer.toString(replication),
                    "the number of copies, or -1 for the broker's default");
    }

    /// Settings of a service that shows every bundle, from any writer.
    public CatalogConfig(String group, Topics topics, Map<String, String> kafka, Path stateDir, Duration retention,
            int replication, Path bundles) {
        this(group, topics, kafka, stateDir, retention, replication, bundles, BundleTrust.ALL);
    }

    /// Returns the same for a fleet that applies its own bundles from folders: they need no signature.
    public CatalogConfig trustingAll() {
        return new CatalogConfig(group, topics, kafka, stateDir, retention, replication, bundles);
    }

    /// Returns the id of the Kafka Streams application: its consumer group, and the prefix of its internal topics.
    public String applicationId() {
        return topics.prefix() + group + ".catalog";
    }

    private static IllegalArgumentException wrong(String key, String value, String expected) {
        return new IllegalArgumentException(key + " '" + value + "' is not allowed: " + expected);
    }
}
