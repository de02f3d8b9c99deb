package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.Standings;
import dev.toolfleet.worker.state.SpareConsumers;
import org.apache.kafka.common.TopicPartition;

/// Where the group stands, asked by consumers that never join it: with read_committed they get stable offsets only,
/// while an Admin client cannot tell "none" from "unstable". Thread-safe.
public final class GroupOffsets {
    private final SpareConsumers consumers;
    private final String calls;
    private final String resumed;
    private final Patience patience;

    /// @param consumers have the group's id and read committed
    /// @param calls the topic of calls
    /// @param resumed the topic of resumed calls
    /// @param patience how long unstable offsets are waited for
    public GroupOffsets(SpareConsumers consumers, String calls, String resumed, Patience patience) {
        this.consumers = consumers;
        this.calls = calls;
        this.resumed = resumed;
        this.patience = patience;
    }

    /// What the group has committed; a partition without an offset is missing.
    ///
    /// @throws org.apache.kafka.common.KafkaException when no stable answer came in time
    public Standings committed(Iterable<Integer> partitions) {
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
            return new Standings(ofCalls, ofResumed);
        });
    }
}
