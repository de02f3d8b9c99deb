package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

import static java.util.Objects.requireNonNull;

/// Beginnings and ends of partitions. Each method makes a request to the broker, and throws a `KafkaException` if it
/// does not answer. Thread-safe.
public final class TopicOffsets {
    private final Admin admin;
    private final Duration timeout;

    /// @param timeout of one request
    public TopicOffsets(Admin admin, Duration timeout) {
        this.admin = admin;
        this.timeout = timeout;
    }

    /// Returns the ends of partitions, including transactions that are still open: everything written before this call
    /// lies before them, committed or not.
    public Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
        return ask(partitions, partition -> OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    }

    /// Returns the oldest offset that a partition still holds.
    public long beginning(TopicPartition partition) {
        return one(partition, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    }

    /// Returns the end of the committed records.
    public long committedEnd(TopicPartition partition) {
        return one(partition, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    }

    /// Returns the ends of the committed records of several partitions.
    public Map<TopicPartition, Long> committedEnds(Collection<TopicPartition> partitions) {
        return ask(partitions, partition -> OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    }

    /// Returns the first offset that was appended at `time` (epoch milliseconds) or later; -1 if there is none.
    public long firstSince(TopicPartition partition, long time) {
        return one(partition, OffsetSpec.forTimestamp(time), IsolationLevel.READ_UNCOMMITTED);
    }

    /// Returns the append time of a partition's newest record, in epoch milliseconds; 0 if it holds none.
    public long newest(TopicPartition partition) {
        return Math.max(0, requireNonNull(found(Map.of(partition, OffsetSpec.maxTimestamp()),
                IsolationLevel.READ_UNCOMMITTED).get(partition)).timestamp());
    }

    private long one(TopicPartition partition, OffsetSpec where, IsolationLevel level) {
        return requireNonNull(ask(List.of(partition), asked -> where, level).get(partition));
    }

    private Map<TopicPartition, Long> ask(Collection<TopicPartition> partitions,
            Function<TopicPartition, OffsetSpec> where, IsolationLevel level) {
        Map<TopicPartition, OffsetSpec> asked = partitions.stream()
                .collect(Collectors.toMap(Function.identity(), where));
        Map<TopicPartition, Long> answer = new HashMap<>();
        found(asked, level).forEach((partition, found) -> answer.put(partition, found.offset()));
        return answer;
    }

    private Map<TopicPartition, ListOffsetsResultInfo> found(Map<TopicPartition, OffsetSpec> asked,
            IsolationLevel level) {
        return AdminAnswer.of(admin.listOffsets(asked, new ListOffsetsOptions(level)).all(), timeout);
    }
}
