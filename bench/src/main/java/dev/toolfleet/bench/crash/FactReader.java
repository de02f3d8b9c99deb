package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bench.fleet.CrashFleet;
import dev.toolfleet.bench.verdict.CallFact;
import dev.toolfleet.bench.verdict.GivenAnswer;
import dev.toolfleet.bench.verdict.ResultFact;
import dev.toolfleet.bench.verdict.Written;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.common.TopicPartition;

/// Reads the topics at the end of a run: calls and results.
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

    /// The ids of the calls that `tool.call` has, by [CallLedger#place].
    Map<String, String> calls() {
        Map<String, String> calls = new HashMap<>();
        read(Topic.CALL, record -> calls.put(CallLedger.place(record.partition(), record.offset()),
                CALLS.read(record.value()).id()));
        return calls;
    }

    /// The records of the calls that `tool.call` has, as the facts of these calls.
    List<CallFact> facts(CallLedger ledger) {
        Map<String, List<Written>> records = new HashMap<>();
        Map<String, Integer> partitions = new HashMap<>();
        read(Topic.CALL, record -> {
            String id = CALLS.read(record.value()).id();
            partitions.putIfAbsent(id, record.partition());
            records.computeIfAbsent(id, call -> new ArrayList<>())
                    .add(new Written(0, record.offset(), Instant.ofEpochMilli(record.timestamp())));
        });
        List<CallFact> facts = new ArrayList<>();
        records.forEach((id, its) -> ledger.call(id).ifPresent(call -> facts.add(new CallFact(id, call.instance(),
                partitions.getOrDefault(id, 0), call.work(), its.stream().sorted().toList()))));
        return facts;
    }

    /// All results, pending ones too.
    List<ResultFact> results(ResultFollower watch) {
        List<ResultFact> results = new ArrayList<>();
        read(Topic.RESULT, record -> {
            ToolResult result = RESULTS.read(record.value());
            results.add(new ResultFact(result.toolCallId(), record.partition(), record.offset(),
                    watch.seenAt(record.partition(), record.offset(), Instant.ofEpochMilli(record.timestamp())),
                    GivenAnswer.of(result), result.replayed()));
        });
        return results;
    }

    private void read(Topic topic, TopicScan.Sink each) {
        List<TopicPartition> partitions = TopicScan.partitions(topics.name(topic), CrashFleet.PARTITIONS);
        try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", bootstrapServers), PATIENCE,
                TopicScan.Gauge.SILENT)) {
            scan.read(scan.beginnings(partitions), scan.writtenEnds(partitions), each);
        }
    }
}
