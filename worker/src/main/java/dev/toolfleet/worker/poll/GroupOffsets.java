package dev.toolfleet.worker.poll;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.worker.commit.CommittedPositions;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.state.SpareConsumers;
import org.apache.kafka.common.TopicPartition;

/// Reads the group's committed offsets with consumers that never join it. With read_committed they return stable
/// offsets only; an Admin client cannot distinguish "none" from "unstable". Thread-safe.
public final class GroupOffsets {
    private final SpareConsumers consumers;
    private final String calls;
    private final String resumed;
    private final AdaptiveTimeout patience;

    /// @param consumers have the group's id and read committed
    /// @param calls the topic of calls
    /// @param resumed the topic of resumed calls
    /// @param patience limits the wait for unstable offsets
    public GroupOffsets(SpareConsumers consumers, String calls, String resumed, AdaptiveTimeout patience) {
        this.consumers = consumers;
        this.calls = calls;
        this.resumed = resumed;
        this.patience = patience;
    }

    /// Returns the group's committed offsets; a partition without an offset is missing.
    ///
    /// @throws org.apache.kafka.common.KafkaException if no stable answer came in time
    public CommittedPositions committed(Iterable<Integer> partitions) {
        Set<TopicPartition> asked = new HashSet<>();
        partitions.forEach(partition -> {
            asked.add(new TopicPartition(calls, partition));
            asked.add(new TopicPartition(resumed, partition));
        });
        return consumers.lend(consumer -> {
            Map<Integer, DoneOffsets> ofCalls = new HashMap<>();
            Map<Integer, DoneOffsets> ofResumed = new HashMap<>();
            patience.during(atMost -> consumer.committed(asked, atMost)).forEach((partition, offset) -> {
                if (offset != null)
                    (partition.topic().equals(calls) ? ofCalls : ofResumed).put(partition.partition(),
                            DoneOffsets.of(offset));
            });
            return new CommittedPositions(ofCalls, ofResumed);
        });
    }
}
