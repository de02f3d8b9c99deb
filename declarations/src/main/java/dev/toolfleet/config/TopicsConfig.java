package dev.toolfleet.config;

import dev.toolfleet.topic.Topics;

/// Settings of the fleet's topics.
///
/// @param prefix put before every name, such as `acme.`; may be empty
/// @param partitions of each topic that may have several; fixed once the topics exist
/// @param replication copies of each partition; [#BROKER_DEFAULT] leaves it to the broker
public record TopicsConfig(String prefix, int partitions, int replication) {
    /// The broker's `default.replication.factor` decides.
    public static final int BROKER_DEFAULT = -1;
    /// The default partition count of a fleet's topics.
    public static final int DEFAULT_PARTITIONS = 12;

    /// Checks that topics can be created with these settings.
    public TopicsConfig {
        if (!prefix.matches("[a-zA-Z0-9._-]{0,200}"))
            throw new ConfigException("topics.prefix", prefix,
                    "letters, digits, '.', '_' and '-', at most 200 characters");
        if (partitions < 1)
            throw new ConfigException("topics.partitions", Integer.toString(partitions),
                    "a whole number of at least 1");
        if (replication != BROKER_DEFAULT && replication < 1)
            throw new ConfigException("topics.replication", Integer.toString(replication),
                    "a whole number of at least 1, or -1 for the broker's default");
    }

    /// Reads the section `topics`.
    public static TopicsConfig of(Settings settings) {
        TopicsConfig config = new TopicsConfig(settings.text("prefix", ""),
                settings.integer("partitions", DEFAULT_PARTITIONS, 1, 10_000),
                settings.integer("replication", BROKER_DEFAULT, -1, 100));
        settings.finish();
        return config;
    }

    /// The topics' names.
    public Topics topics() {
        return new Topics(prefix);
    }
}
