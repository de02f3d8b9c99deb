package dev.toolfleet.cli.explain;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.CallDecoder;
import dev.toolfleet.wire.DecodedCall;
import dev.toolfleet.wire.ToolCall;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Finds calls by what people know of them. Looks at the newest first: at the last ten minutes, then the last two
/// hours, then all that may be looked at, and goes no further back once something was found.
final class CallFinder {
    private static final List<Duration> WINDOWS = List.of(Duration.ofMinutes(10), Duration.ofHours(2));

    private final TopicScan scan;
    private final String topic;

    CallFinder(TopicScan scan, Topics topics) {
        this.scan = scan;
        this.topic = topics.name(Topic.CALL);
    }

    /// Known attributes of the wanted call.
    ///
    /// @param id the model's
    record Wanted(String id, @Nullable String instance, @Nullable String step) {
        boolean fits(ToolCall call) {
            return call.id().equals(id) && (instance == null || call.instanceKey().equals(instance))
                    && (step == null || step.equals(call.stepId()));
        }

        String text() {
            return "call '" + id + "'" + (step == null ? "" : " of step '" + step + "'")
                    + (instance == null ? "" : " of instance '" + instance + "'");
        }
    }

    /// The calls that fit, the oldest first.
    ///
    /// @param back how far to look back
    List<RecordedCall> find(Wanted wanted, Instant now, Duration back) {
        List<Duration> windows = new ArrayList<>(WINDOWS.stream().filter(each -> each.compareTo(back) < 0).toList());
        windows.add(back);
        List<TopicPartition> partitions = scan.partitions(topic);
        for (Duration window : windows) {
            List<RecordedCall> found = read(partitions, now.minus(window), wanted.instance(), wanted::fits);
            if (!found.isEmpty())
                return found;
        }
        return List.of();
    }

    private List<RecordedCall> read(List<TopicPartition> partitions, Instant since, @Nullable String instance,
            Predicate<ToolCall> fits) {
        byte[] key = instance == null ? null : instance.getBytes(StandardCharsets.UTF_8);
        List<RecordedCall> found = new ArrayList<>();
        scan.read(scan.since(partitions, since), record -> {
            if (key != null && record.key() != null && !Arrays.equals(record.key(), key))
                return;
            String recordKey = record.key() == null ? null : new String(record.key(), StandardCharsets.UTF_8);
            if (CallDecoder.decode(recordKey, record.value()) instanceof DecodedCall.Valid(ToolCall call)
                    && fits.test(call))
                found.add(new RecordedCall(record.partition(), record.offset(), call.bare(),
                        Instant.ofEpochMilli(record.timestamp())));
        });
        return found;
    }

    /// The call at one place; empty when there is none any more.
    Optional<RecordedCall> at(int partition, long offset) {
        return between(partition, offset, offset + 1, call -> true).stream().findFirst();
    }

    /// The calls of a stretch of a partition.
    List<RecordedCall> between(int partition, long from, long end, Predicate<ToolCall> fits) {
        TopicPartition one = new TopicPartition(topic, partition);
        if (scan.partitions(topic).stream().noneMatch(one::equals))
            return List.of();
        long begin = Math.max(from, scan.beginnings(List.of(one)).getOrDefault(one, 0L));
        long last = Math.min(end, scan.ends(List.of(one)).getOrDefault(one, 0L));
        List<RecordedCall> found = new ArrayList<>();
        if (begin >= last)
            return found;
        scan.read(Map.of(one, begin), Map.of(one, last), record -> {
            String key = record.key() == null ? null : new String(record.key(), StandardCharsets.UTF_8);
            if (CallDecoder.decode(key, record.value()) instanceof DecodedCall.Valid(ToolCall call) && fits.test(call))
                found.add(new RecordedCall(partition, record.offset(), call.bare(),
                        Instant.ofEpochMilli(record.timestamp())));
        });
        return found;
    }
}
