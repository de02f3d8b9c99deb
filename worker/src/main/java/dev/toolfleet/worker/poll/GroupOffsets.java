package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.state.SpareConsumers;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/// Where the group stands, asked by consumers that never join it: with read_committed they get stable offsets only,
/// while an Admin client cannot tell "none" from "unstable". Thread-safe.
public final class GroupOffsets {
    private final SpareConsumers consumers;
    private final String topic;
    private final Duration patience;

    /// @param consumers have the group's id and read committed
    /// @param patience how long unstable offsets are waited for
    public GroupOffsets(SpareConsumers consumers, String topic, Duration patience) {
        this.consumers = consumers;
        this.topic = topic;
        this.patience = patience;
    }

    /// What the group has committed; a partition without an offset is missing.
    ///
    /// @throws org.apache.kafka.common.KafkaException when no stable answer came in time
    public Map<Integer, DoneOffsets> committed(Iterable<Integer> partitions) {
        Set<TopicPartition> asked = new HashSet<>();
        partitions.forEach(partition -> asked.add(new TopicPartition(topic, partition)));
        return consumers.lend(consumer -> {
            Map<Integer, DoneOffsets> found = new HashMap<>();
            consumer.committed(asked, patience).forEach((partition, offset) -> {
                if (offset != null)
                    found.put(partition.partition(), done(offset));
            });
            return found;
        });
    }

    private static DoneOffsets done(OffsetAndMetadata offset) {
        return DoneOffsets.decode(offset.offset(), offset.metadata());
    }
}
