package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/// Offsets from the Admin client. One request covers many partitions, and each partition has its own answer or its own
/// timeout.
///
/// @param timeout of one lookup
public record AdminOffsets(Admin admin, Duration timeout) implements PartitionOffsets {
    @Override
    public Map<TopicPartition, CompletableFuture<Long>> committedEnds(Set<TopicPartition> partitions) {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        partitions.forEach(partition -> asked.put(partition, OffsetSpec.latest()));
        ListOffsetsResult answer = list(asked, IsolationLevel.READ_COMMITTED);
        Map<TopicPartition, CompletableFuture<Long>> ends = new HashMap<>();
        partitions.forEach(partition -> ends.put(partition, offset(answer, partition)));
        return ends;
    }

    /// Uncommitted records count too: if no record is that new, no open transaction holds one either.
    @Override
    public CompletableFuture<Long> firstSince(TopicPartition partition, long time) {
        return end(partition).thenCompose(end -> offset(list(Map.of(partition, OffsetSpec.forTimestamp(time)),
                IsolationLevel.READ_UNCOMMITTED), partition).thenApply(first -> first < 0 ? end : first));
    }

    private CompletableFuture<Long> end(TopicPartition partition) {
        return offset(list(Map.of(partition, OffsetSpec.latest()), IsolationLevel.READ_COMMITTED), partition);
    }

    private ListOffsetsResult list(Map<TopicPartition, OffsetSpec> asked, IsolationLevel level) {
        return admin.listOffsets(asked, new ListOffsetsOptions(level).timeoutMs((int) timeout.toMillis()));
    }

    private static CompletableFuture<Long> offset(ListOffsetsResult answer, TopicPartition partition) {
        return answer.partitionResult(partition).toCompletionStage().toCompletableFuture()
                .thenApply(ListOffsetsResult.ListOffsetsResultInfo::offset);
    }
}
