package dev.toolfleet.worker.state;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.apache.kafka.common.TopicPartition;

/// Offsets of partitions, looked up without waiting. Each partition's answer is a future of its own, so that a
/// partition without a leader delays no other. The caller repeats a failed lookup. Thread-safe.
public interface PartitionOffsets {
    /// Returns the present end of the committed records of each partition.
    Map<TopicPartition, CompletableFuture<Long>> committedEnds(Set<TopicPartition> partitions);

    /// Returns the first offset whose record has that time (epoch milliseconds) or a later one. Without such a record,
    /// returns the end that the partition had before the lookup began: a record that is committed meanwhile lies behind
    /// it.
    CompletableFuture<Long> firstSince(TopicPartition partition, long time);
}
