package dev.toolfleet.bench.steps;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/// Looks at how large topics are. Used by one thread.
final class StepTopics implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

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

    /// Present size of the topics.
    Size size() throws InterruptedException {
        List<TopicPartition> steps = TopicScan.partitions(topics.name(Topic.CATALOG_STEP), partitions);
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

    /// Number of records on `tool.catalog.content`.
    int contents() {
        int[] count = {0};
        try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", bootstrapServers), TIMEOUT,
                TopicScan.Gauge.SILENT)) {
            scan.read(topics.name(Topic.CATALOG_CONTENT), record -> count[0]++);
        }
        return count[0];
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
