package dev.toolfleet.worker.state;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/// Check of topics that could not be written: a partition needs a leader and enough replicas in sync. Thread-safe; does
/// not wait.
public final class TopicLeaders {
    private final Admin admin;

    /// Creates a check with this client.
    public TopicLeaders(Admin admin) {
        this.admin = admin;
    }

    /// Returns true if each of these has a leader and enough replicas in sync; a partition of -1 stands for all of its
    /// topic. Fails if the broker does not answer, or a topic does not exist.
    public CompletableFuture<Boolean> reachable(Set<TopicPartition> partitions) {
        Set<String> topics = partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet());
        CompletableFuture<Map<ConfigResource, Config>> configs = admin
                .describeConfigs(topics.stream().map(TopicLeaders::resource).toList()).all()
                // A leader suffices where the worker may not read the settings.
                .toCompletionStage().toCompletableFuture().exceptionally(_ -> Map.of());
        return admin.describeTopics(topics).allTopicNames().toCompletionStage().toCompletableFuture()
                .thenCombine(configs, (found, settings) -> partitions.stream()
                        .allMatch(partition -> isWritable(partition, found, settings)));
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    private static boolean isWritable(TopicPartition asked, Map<String, TopicDescription> found,
            Map<ConfigResource, Config> settings) {
        TopicDescription topic = found.get(asked.topic());
        int inSync = inSync(settings.get(resource(asked.topic())));
        return topic != null && topic.partitions().stream()
                .filter(each -> asked.partition() < 0 || each.partition() == asked.partition())
                .allMatch(partition -> isWritable(partition, inSync));
    }

    private static int inSync(@Nullable Config config) {
        ConfigEntry entry = config == null ? null : config.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);
        String value = entry == null ? null : entry.value();
        return value == null ? 1 : Integer.parseInt(value);
    }

    /// True if it has a leader and enough replicas in sync; a broker requires no more replicas than there are.
    static boolean isWritable(TopicPartitionInfo partition, int inSync) {
        return partition.leader() != null && !partition.leader().isEmpty()
                && partition.isr().size() >= Math.min(inSync, partition.replicas().size());
    }
}
