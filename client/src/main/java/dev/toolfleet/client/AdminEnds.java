package dev.toolfleet.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/// Reads the ends of committed records over an admin connection of its own. Thread-safe.
///
/// **Why.** The consumer cannot do it. Otherwise: its one thread waits for a partition without leader and reads no
/// other.
final class AdminEnds implements EndOffsets.Source {
    private final Admin admin;

    /// @param admin closed with this
    AdminEnds(Admin admin) {
        this.admin = admin;
    }

    @Override
    public Map<TopicPartition, CompletableFuture<Long>> ask(List<TopicPartition> partitions) {
        ListOffsetsResult result = admin.listOffsets(
                partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest())),
                new ListOffsetsOptions(IsolationLevel.READ_COMMITTED));
        Map<TopicPartition, CompletableFuture<Long>> ends = new HashMap<>();
        for (TopicPartition partition : partitions) {
            ends.put(partition, result.partitionResult(partition).toCompletionStage().toCompletableFuture()
                    .thenApply(ListOffsetsResult.ListOffsetsResultInfo::offset));
        }
        return ends;
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
