package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

import dev.toolfleet.worker.commit.DoneOffsets;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

import static java.util.Objects.requireNonNull;

/// Where the group stands, asked by a consumer of its own that never joins: with read_committed it gets stable offsets
/// only, while an Admin client cannot tell "none" from "unstable". One asks at a time.
public final class GroupOffsets implements AutoCloseable {
    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();

    /// @param consumer has the group's id, reads committed, subscribes to nothing
    /// @param patience how long unstable offsets are waited for
    public GroupOffsets(Consumer<byte[], byte[]> consumer, String topic, Duration patience) {
        this.consumer = consumer;
        this.topic = topic;
        this.patience = patience;
    }

    /// What the group has committed; a partition without an offset is missing.
    ///
    /// @throws org.apache.kafka.common.KafkaException when no stable answer came in time
    public Map<Integer, DoneOffsets> committed(Iterable<Integer> partitions) {
        Set<TopicPartition> asked = new HashSet<>();
        partitions.forEach(partition -> asked.add(new TopicPartition(topic, partition)));
        lock.lock();
        try {
            Map<Integer, DoneOffsets> found = new HashMap<>();
            consumer.committed(asked, patience).forEach((partition, offset) -> {
                if (offset != null)
                    found.put(partition.partition(), done(offset));
            });
            return found;
        } finally {
            lock.unlock();
        }
    }

    private static DoneOffsets done(OffsetAndMetadata offset) {
        return DoneOffsets.decode(offset.offset(), offset.metadata());
    }

    /// The oldest offset that a partition still holds.
    public long beginning(int partition) {
        TopicPartition asked = new TopicPartition(topic, partition);
        lock.lock();
        try {
            return requireNonNull(consumer.beginningOffsets(Set.of(asked), patience).get(asked));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            consumer.close();
        } finally {
            lock.unlock();
        }
    }
}
