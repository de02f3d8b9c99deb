package dev.toolfleet.worker.state;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/// Whether somebody leads partitions, without which they cannot be written. Thread-safe; does not wait.
public final class TopicLeaders {
    private final Admin admin;

    /// Asks by this client.
    public TopicLeaders(Admin admin) {
        this.admin = admin;
    }

    /// Whether each of these has a leader; a partition of -1 stands for all of its topic. Fails when the broker does not
    /// say, also because a topic is not there.
    public CompletableFuture<Boolean> reachable(Set<TopicPartition> partitions) {
        Set<String> topics = partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet());
        return admin.describeTopics(topics).allTopicNames().toCompletionStage().toCompletableFuture()
                .thenApply(found -> partitions.stream().allMatch(partition -> isLed(partition, found)));
    }

    private static boolean isLed(TopicPartition asked, Map<String, TopicDescription> found) {
        TopicDescription topic = found.get(asked.topic());
        return topic != null && topic.partitions().stream()
                .filter(each -> asked.partition() < 0 || each.partition() == asked.partition())
                .allMatch(TopicLeaders::isLed);
    }

    private static boolean isLed(TopicPartitionInfo partition) {
        return partition.leader() != null && !partition.leader().isEmpty();
    }
}
