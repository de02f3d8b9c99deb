package dev.toolfleet.cli.handle;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.cli.handle.ResultWatch.CallPlace;
import dev.toolfleet.client.HandleReader;
import dev.toolfleet.client.HandleState;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.CallDecoder;
import dev.toolfleet.wire.DecodedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds the calls that people name by bare ids: those of the last day, and older ones that are still pending. Costs
/// reading a day of `tool.call` and `tool.result` and all of `tool.pending`; keeps only the calls that are meant,
/// without their arguments.
final class RecentCalls {
    private static final Logger LOG = LoggerFactory.getLogger(RecentCalls.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    /// As long as a cancellation holds.
    static final Duration DAY = Duration.ofDays(1);

    private final TopicScan scan;
    private final HandleReader handles;
    private final Topics topics;

    RecentCalls(TopicScan scan, HandleReader handles, Topics topics) {
        this.scan = scan;
        this.handles = handles;
        this.topics = topics;
    }

    /// The calls that `target` means, the oldest first.
    List<SeenCall> find(CancelTarget target, Instant now) {
        Map<CallPlace, SeenCall> found = new LinkedHashMap<>();
        for (HandleState.Open open : handles.open(pending -> target.means(pending.call()))) {
            CallPlace place = new CallPlace(open.call().partition(), open.call().callOffset());
            found.put(place, new SeenCall(place, open.call().call(), open.call().createdAt(), Optional.empty()));
        }
        byte[] key = target.instanceKey().getBytes(StandardCharsets.UTF_8);
        read(Topic.CALL, key, now, record -> {
            // A malformed record names no call that could be cancelled.
            if (CallDecoder.decode(target.instanceKey(), record.value()) instanceof DecodedCall.Valid(ToolCall call)
                    && target.means(call)) {
                CallPlace place = new CallPlace(record.partition(), record.offset());
                found.put(place, new SeenCall(place, call.bare(), Instant.ofEpochMilli(record.timestamp()),
                        Optional.empty()));
            }
        });
        if (!found.isEmpty())
            read(Topic.RESULT, key, now, record -> answer(record, found));
        return List.copyOf(found.values());
    }

    private void answer(ConsumerRecord<byte[], byte[]> record, Map<CallPlace, SeenCall> found) {
        if (record.value() == null)
            return;
        try {
            ToolResult result = RESULTS.read(record.value());
            found.computeIfPresent(new CallPlace(record.partition(), result.callOffset()),
                    (place, call) -> call.hasEnded() ? call : call.answered(result));
        } catch (WireFormatException e) {
            LOG.atDebug().setCause(Unquoted.of(e)).log("a record is no tool result");
        }
    }

    /// The instance's records lie in one partition, but which one its producers alone know.
    private void read(Topic topic, byte[] key, Instant now, TopicScan.Sink sink) {
        List<TopicPartition> partitions = scan.partitions(topics.name(topic));
        scan.read(scan.since(partitions, now.minus(DAY)), record -> {
            if (Arrays.equals(record.key(), key))
                sink.accept(record);
        });
    }

    /// A call that was found on the fleet's topics.
    ///
    /// @param place where it stands
    /// @param call without arguments
    /// @param at when it was written
    /// @param result its latest one; empty while it has none
    record SeenCall(CallPlace place, ToolCall call, Instant at, Optional<ToolResult> result) {

        SeenCall answered(ToolResult newResult) {
            return new SeenCall(place, call, at, Optional.of(newResult));
        }

        boolean hasEnded() {
            return result.filter(ToolResult::isFinal).isPresent();
        }

        /// For a table.
        String state() {
            return result.map(HandleText::status).orElse("no result yet");
        }
    }
}
