package dev.toolfleet.embedded;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Settings of an [EmbeddedKafka].
///
/// @param port the port on 127.0.0.1; 0 picks a free one, and on data that is kept the one of the last broker there, if
///        it is free
/// @param data the folder whose data outlives the broker; when empty, a temporary folder is used and deleted on close
/// @param partitions partitions of a topic that is created without a count
/// @param properties broker settings that override this module's own, such as `message.max.bytes`; settings that the
///        module needs for itself (listeners, node, folders) are rejected
/// @param users the users of the broker; when empty, every client may do everything without a password
public record EmbeddedKafkaConfig(int port, Optional<Path> data, int partitions, Map<String, String> properties,
        Optional<BrokerUsers> users) {

    private static final int HIGHEST_PORT = 65_535;

    /// Throws `IllegalArgumentException` for a value that no broker could have.
    public EmbeddedKafkaConfig {
        if (port < 0 || port > HIGHEST_PORT) {
            throw new IllegalArgumentException("port is " + port + "; it must be 0 (a free one) to " + HIGHEST_PORT);
        }
        if (partitions < 1) {
            throw new IllegalArgumentException("partitions is " + partitions + "; it must be at least 1");
        }
        properties = Map.copyOf(properties);
        BrokerSettings.check(properties);
    }

    /// A free port, temporary data, 4 partitions.
    public static EmbeddedKafkaConfig temporary() {
        return new EmbeddedKafkaConfig(0, Optional.empty(), 4, Map.of(), Optional.empty());
    }

    /// The same on this port; 0 picks a free one.
    public EmbeddedKafkaConfig withPort(int newPort) {
        return new EmbeddedKafkaConfig(newPort, data, partitions, properties, users);
    }

    /// The same with data that is kept in this folder, which is created when absent. A broker that finds its own data
    /// there goes on with it.
    public EmbeddedKafkaConfig withData(Path folder) {
        return new EmbeddedKafkaConfig(port, Optional.of(folder), partitions, properties, users);
    }

    /// The same with this number of partitions for topics created without one.
    public EmbeddedKafkaConfig withPartitions(int newPartitions) {
        return new EmbeddedKafkaConfig(port, data, newPartitions, properties, users);
    }

    /// The same with one more broker setting.
    public EmbeddedKafkaConfig withProperty(String name, String value) {
        Map<String, String> more = new HashMap<>(properties);
        more.put(name, value);
        return new EmbeddedKafkaConfig(port, data, partitions, more, users);
    }

    /// Returns the same for these users alone; ACLs limit them.
    public EmbeddedKafkaConfig withUsers(BrokerUsers newUsers) {
        return new EmbeddedKafkaConfig(port, data, partitions, properties, Optional.of(newUsers));
    }

    /// Returns the settings of a lone broker with this configuration, without listeners and folders, by Kafka's names.
    /// They let a broker elsewhere behave the same.
    public Map<String, String> brokerSettings() {
        return BrokerSettings.anywhere(this, 1);
    }
}
