package dev.toolfleet.worker.state;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Partitions of a state follower with their views. Owned by the follower's thread; never waits.
///
/// **Why.** A partition is assigned to the consumer only when its first offset is known. Otherwise: the consumer begins
/// at the beginning by itself.
final class FollowedPartitions {
    private static final Logger LOG = LoggerFactory.getLogger(FollowedPartitions.class);

    /// One `follow` of a partition, compared by identity. Otherwise: *follow, unfollow, follow again, answer to the
    /// first lookup* begins the second at an old place.
    static final class Followed {
        private final TopicPartition partition;
        private final TopicView view;

        private Followed(TopicPartition partition, TopicView view) {
            this.partition = partition;
            this.view = view;
        }

        TopicPartition partition() {
            return partition;
        }
    }

    private final Consumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Followed> followed = new HashMap<>();
    private final Set<TopicPartition> assigned = new HashSet<>();

    FollowedPartitions(Consumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    Set<TopicPartition> all() {
        return followed.keySet();
    }

    boolean has(TopicPartition partition) {
        return followed.containsKey(partition);
    }

    boolean has(Followed which) {
        return followed.get(which.partition) == which;
    }

    /// True if the consumer has a partition to read.
    boolean areRead() {
        return !assigned.isEmpty();
    }

    /// Adds a partition that is read once it begins; null if it is followed already.
    @Nullable
    Followed add(TopicPartition partition, TopicView view) {
        Followed added = new Followed(partition, view);
        return followed.putIfAbsent(partition, added) == null ? added : null;
    }

    void beginAtTheBeginning(Followed which) {
        assign(which.partition);
        consumer.seekToBeginning(List.of(which.partition));
    }

    void begin(Followed which, long first) {
        assign(which.partition);
        consumer.seek(which.partition, first);
    }

    private void assign(TopicPartition partition) {
        assigned.add(partition);
        consumer.assign(assigned);
    }

    /// Stops reading a partition; its view forgets it.
    void remove(TopicPartition partition) {
        Followed gone = followed.remove(partition);
        if (gone == null)
            return;
        if (assigned.remove(partition))
            consumer.assign(assigned);
        gone.view.forget(partition.partition());
    }

    /// Returns the position in a partition; -1 while the consumer does not know it, which its next polls find out.
    long position(TopicPartition partition) {
        if (!assigned.contains(partition))
            return -1;
        try {
            return consumer.position(partition, Duration.ZERO);
        } catch (TimeoutException | WakeupException e) {
            return -1;
        }
    }

    /// Passes a record to its view. If the view throws, only that record is skipped.
    void apply(ConsumerRecord<byte[], byte[]> record) {
        Followed by = followed.get(new TopicPartition(record.topic(), record.partition()));
        if (by == null)
            return;
        try {
            by.view.apply(record.partition(),
                    record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8), record.value(),
                    record.timestamp());
        } catch (RuntimeException e) {
            LOG.atError().setCause(Unquoted.of(e)).addKeyValue(LogKeys.PARTITION, record.partition())
                    .addKeyValue(LogKeys.OFFSET, record.offset()).addKeyValue("topic", record.topic())
                    .log("state record skipped: record not understood");
        }
    }
}
