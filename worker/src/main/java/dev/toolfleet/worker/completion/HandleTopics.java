package dev.toolfleet.worker.completion;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.toolfleet.worker.state.AdminAnswer;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Internal topics of the topology of pending calls: they hold the state of every open handle, by partition number.
///
/// **Why.** Kafka Streams checks their partition counts only after the worker has started, and advises to reset the
/// topology. Otherwise: an operator resets it, the state is deleted, and no pending call ever ends.
final class HandleTopics {
    private static final Logger LOG = LoggerFactory.getLogger(HandleTopics.class);

    private HandleTopics() {}

    /// Returns the names of the internal topics.
    ///
    /// @param applicationId of the topology
    static List<String> names(String applicationId) {
        return Stream.concat(Stream.of(CompletionTopology.TOLD + "-repartition"),
                Stream.of(HandleStores.HANDLES, HandleStores.CALLS, HandleStores.DUE)
                        .map(store -> store + "-changelog"))
                .map(end -> applicationId + "-" + end).toList();
    }

    /// Checks that the existing internal topics have the partition count of `tool.pending`.
    ///
    /// @param pendingTopic the name of `tool.pending`
    /// @throws IllegalStateException if partitions were added to it
    public static void check(Admin admin, String applicationId, String pendingTopic, int pendingPartitions,
            Duration atMost) {
        Map<String, KafkaFuture<TopicDescription>> described = admin.describeTopics(names(applicationId))
                .topicNameValues();
        described.forEach((name, future) -> {
            int found = partitions(name, future, atMost);
            if (found > 0 && found != pendingPartitions) {
                throw new IllegalStateException(
                        ("topic '%s' has %d partitions, but '%s', with the state of open handles,"
                                + " has %d: that state lies by partition number, and pending calls would never end; keep the"
                                + " internal topics (a reset tool deletes that state), and give '%s' its %d partitions back as"
                                + " docs/operations.md describes under \"When partitions were added to tool.pending\"")
                                .formatted(pendingTopic, pendingPartitions, name, found, pendingTopic, found));
            }
        });
    }

    /// Returns the partition count; 0 for a topic that does not exist, or that this login may not describe.
    private static int partitions(String name, KafkaFuture<TopicDescription> future, Duration atMost) {
        try {
            return AdminAnswer.of(future, atMost).partitions().size();
        } catch (UnknownTopicOrPartitionException e) {
            return 0;
        } catch (KafkaException e) {
            LOG.atWarn().addKeyValue(LogKeys.TARGETS, name).addKeyValue(LogKeys.REASON, e.toString())
                    .log("partition count of an internal topic could not be checked");
            return 0;
        }
    }
}
