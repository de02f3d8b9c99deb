package dev.toolfleet.worker.state;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.apache.kafka.common.TopicPartition;

/// Offsets of partitions, looked up without waiting: each partition's answer is a future of its own, so that one that
/// nobody leads delays no other. A future that fails is asked for again by the caller. Thread-safe.
public interface PartitionOffsets {
    /// The present end of the committed records of each partition.
    Map<TopicPartition, CompletableFuture<Long>> committedEnds(Set<TopicPartition> partitions);

    /// The first offset whose record has that time (epoch milliseconds) or a later one. Without such a record, the end
    /// that the partition had before the lookup began: a record that is committed meanwhile lies behind it.
    CompletableFuture<Long> firstSince(TopicPartition partition, long time);
}
