package dev.toolfleet.sessions.app;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.session.window.ModelWindow;
import dev.toolfleet.session.window.WindowConfig;
import dev.toolfleet.topic.Topics;

/// Settings of a session service.
///
/// @param group the fleet's group; services of one group share the work
/// @param topics the fleet's topic names
/// @param kafka client properties, `bootstrap.servers` among them, passed through to every Kafka client and to Kafka
///        Streams
/// @param stateDir a folder for the stores, made when it is absent; only one process may use it, and its content may be
///        lost
/// @param retention how long an untouched session stays
/// @param messageWait the longest wait of a result for the message with its call
/// @param window the limits of the model's window
/// @param contextWindow the tokens of the model's window
/// @param trust the bundles whose ContextPolicies count
/// @param replication copies of the service's own changelog topics; -1 for the broker's default
public record SessionConfig(String group, Topics topics, Map<String, String> kafka, Path stateDir, Duration retention,
        Duration messageWait, WindowConfig window, int contextWindow, BundleTrust trust, int replication) {
    /// The default group.
    public static final String DEFAULT_GROUP = "toolfleet";
    /// The default of `session.retention`: as long as `session.message` keeps its records.
    public static final Duration DEFAULT_RETENTION = Duration.ofDays(30);
    /// The default of `session.messageWait`.
    public static final Duration DEFAULT_MESSAGE_WAIT = Duration.ofSeconds(5);
    /// The default of `session.contextWindow`.
    public static final int DEFAULT_CONTEXT_WINDOW = ModelWindow.UNKNOWN.tokens();

    private static final Duration MAX_WAIT = Duration.ofMinutes(10);
    private static final Duration MAX_RETENTION = Duration.ofDays(3650);

    /// Checks every setting.
    ///
    /// @throws IllegalArgumentException naming the setting and its value
    public SessionConfig {
        kafka = Map.copyOf(kafka);
        if (!group.matches("[a-zA-Z0-9._-]{1,100}"))
            throw wrong("group", group, "letters, digits, '.', '_' and '-', at most 100 characters");
        if (kafka.getOrDefault("bootstrap.servers", "").isBlank())
            throw wrong("kafka.bootstrap.servers", "", "the address of a broker, such as localhost:9092");
        if (retention.compareTo(Duration.ofSeconds(1)) < 0 || retention.compareTo(MAX_RETENTION) > 0)
            throw wrong("session.retention", retention.toString(), "between 1 second and 10 years");
        if (messageWait.isNegative() || messageWait.compareTo(MAX_WAIT) > 0)
            throw wrong("session.messageWait", messageWait.toString(), "between 0 and 10 minutes");
        if (contextWindow <= window.reserveTokens()) {
            throw wrong("session.contextWindow", Integer.toString(contextWindow),
                    "more than session.window.reserveTokens (" + window.reserveTokens() + ")");
        }
    }

    /// Returns the id of the Kafka Streams application: its consumer group, and the prefix of its internal topics.
    public String applicationId() {
        return topics.prefix() + group + ".session";
    }

    /// Returns the same settings, under which every bundle counts, signed or not.
    public SessionConfig trustingAll() {
        return new SessionConfig(group, topics, kafka, stateDir, retention, messageWait, window, contextWindow,
                BundleTrust.ALL, replication);
    }

    private static IllegalArgumentException wrong(String key, String value, String expected) {
        return new IllegalArgumentException(key + " '" + value + "' is not allowed: " + expected);
    }
}
