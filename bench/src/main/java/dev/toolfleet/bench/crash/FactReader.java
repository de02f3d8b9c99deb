package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.bench.verdict.CallFact;
import dev.toolfleet.bench.verdict.ResultFact;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/// Reads what the topics hold when all is over: calls and final results.
final class FactReader {
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String bootstrapServers;
    private final Topics topics;

    FactReader(String bootstrapServers, Topics topics) {
        this.bootstrapServers = bootstrapServers;
        this.topics = topics;
    }

    List<CallFact> calls() {
        Map<String, CallFact> calls = new HashMap<>();
        read(Topic.CALL, record -> {
            ToolCall call = CALLS.read(record.value());
            calls.merge(call.id(), fact(call, record), (first, again) -> new CallFact(first.id(), first.instance(),
                    first.kind(), first.takes(), first.partition(), first.offset(), first.sentAt(),
                    first.records() + again.records()));
        });
        return List.copyOf(calls.values());
    }

    private static CallFact fact(ToolCall call, ConsumerRecord<byte[], byte[]> record) {
        Kind kind = Arrays.stream(Kind.values()).filter(each -> each.toolName().equals(call.name())).findFirst()
                .orElseThrow();
        return new CallFact(call.id(), call.instanceKey(), kind,
                Duration.ofMillis(call.argsObject().path(PlannedCall.MILLIS).asLong(0)), record.partition(),
                record.offset(), Instant.ofEpochMilli(record.timestamp()), 1);
    }

    List<ResultFact> results(ResultWatch watch) {
        List<ResultFact> results = new ArrayList<>();
        read(Topic.RESULT, record -> {
            ToolResult result = RESULTS.read(record.value());
            if (result.isFinal())
                results.add(new ResultFact(result.toolCallId(), record.partition(), record.offset(),
                        watch.seenAt(record.partition(), record.offset(), Instant.ofEpochMilli(record.timestamp())),
                        Optional.ofNullable(result.error()).map(ToolError::code), result.replayed()));
        });
        return results;
    }

    private void read(Topic topic, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        Collection<TopicPartition> partitions = CommittedReader.partitions(topics.name(topic));
        Map<TopicPartition, Long> ends = CommittedReader.ends(bootstrapServers, partitions);
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        try (KafkaConsumer<byte[], byte[]> consumer = CommittedReader.of(bootstrapServers, partitions)) {
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                if (System.nanoTime() > giveUp)
                    throw new IllegalStateException(topics.name(topic) + " cannot be read to its end within "
                            + PATIENCE.toSeconds() + " s: a transaction is open, or the broker does not answer");
                consumer.poll(Duration.ofMillis(200)).forEach(each);
            }
        }
    }
}
