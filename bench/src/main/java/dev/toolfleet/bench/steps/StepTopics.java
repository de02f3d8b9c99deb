package dev.toolfleet.bench.steps;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Looks at how large topics are. Used by one thread.
final class StepTopics implements AutoCloseable {
    private final Topics topics;
    private final int partitions;
    private final String bootstrapServers;
    private final Admin admin;

    StepTopics(Topics topics, String bootstrapServers, int partitions) {
        this.topics = topics;
        this.partitions = partitions;
        this.bootstrapServers = bootstrapServers;
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    /// @param stepBytes of `tool.catalog.step`
    /// @param stepOffsets sum of its ends: records, and marks of commits
    record Size(long stepBytes, long stepOffsets) {}

    /// How large they are now.
    Size size() throws InterruptedException {
        List<TopicPartition> steps = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topics.name(Topic.CATALOG_STEP), partition)).toList();
        try {
            List<Integer> nodes = admin.describeCluster().nodes().get().stream().map(node -> node.id()).toList();
            long bytes = admin.describeLogDirs(nodes).allDescriptions().get().values().stream()
                    .flatMap(folders -> folders.values().stream())
                    .flatMap(folder -> folder.replicaInfos().entrySet().stream())
                    .filter(log -> steps.contains(log.getKey())).mapToLong(log -> log.getValue().size()).sum();
            return new Size(bytes, ends(steps));
        } catch (ExecutionException e) {
            throw new IllegalStateException("the broker does not say how large its topics are: " + e.getCause(), e);
        }
    }

    /// How many records stand on `tool.catalog.content`.
    int contents() {
        TopicPartition partition = new TopicPartition(topics.name(Topic.CATALOG_CONTENT), 0);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            int count = 0;
            while (consumer.position(partition) < end)
                count += consumer.poll(Duration.ofMillis(100)).count();
            return count;
        }
    }

    private long ends(List<TopicPartition> of) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> latest = of.stream()
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        return admin.listOffsets(latest).all().get().values().stream().mapToLong(end -> end.offset()).sum();
    }

    @Override
    public void close() {
        admin.close();
    }
}
