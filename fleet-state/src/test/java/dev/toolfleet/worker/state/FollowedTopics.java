package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

/// A running [StateFollower] over topics in memory that are empty until a test adds records.
public final class FollowedTopics implements AutoCloseable, PartitionOffsets {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /// The times since which partitions are followed, in epoch milliseconds.
    public final Map<TopicPartition, Long> since = new ConcurrentHashMap<>();
    private final UnhurriedConsumer consumer = new UnhurriedConsumer();
    private final StateFollower follower = new StateFollower(consumer, this, System::nanoTime, cause -> {});

    /// @param partitions those that exist
    public FollowedTopics(TopicPartition... partitions) {
        Map<TopicPartition, Long> beginnings = new HashMap<>();
        for (TopicPartition partition : partitions)
            beginnings.put(partition, 0L);
        consumer.updateBeginningOffsets(beginnings);
        follower.start();
    }

    /// The follower.
    public StateFollower follower() {
        return follower;
    }

    /// The partitions that are read now.
    public Set<TopicPartition> read() {
        return consumer.assignment();
    }

    /// Waits until a partition is read.
    public void awaitRead(TopicPartition partition) {
        await().atMost(PATIENCE).until(() -> read().contains(partition));
    }

    /// Adds a record to a partition that is read.
    public void add(TopicPartition partition, long offset, String key, byte[] value) {
        awaitRead(partition);
        consumer.schedulePollTask(() -> consumer.addRecord(new ConsumerRecord<>(partition.topic(),
                partition.partition(), offset, key.getBytes(UTF_8), value)));
    }

    @Override
    public Map<TopicPartition, CompletableFuture<Long>> committedEnds(Set<TopicPartition> partitions) {
        Map<TopicPartition, CompletableFuture<Long>> ends = new HashMap<>();
        partitions.forEach(partition -> ends.put(partition, CompletableFuture.completedFuture(0L)));
        return ends;
    }

    @Override
    public CompletableFuture<Long> firstSince(TopicPartition partition, long time) {
        since.put(partition, time);
        return CompletableFuture.completedFuture(0L);
    }

    @Override
    public void close() {
        follower.close();
    }
}
