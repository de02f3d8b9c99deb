package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.bench.effect.EffectLayer;
import dev.toolfleet.bench.effect.EffectTools;
import dev.toolfleet.bench.fleet.CrashFleet;
import dev.toolfleet.bench.verdict.GivenAnswer;
import dev.toolfleet.bench.verdict.ResultFact;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

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

    /// All results, pending ones too.
    List<ResultFact> results(ResultFollower watch) {
        List<ResultFact> results = new ArrayList<>();
        read(Topic.RESULT, record -> {
            ToolResult result = RESULTS.read(record.value());
            results.add(new ResultFact(result.toolCallId(), record.partition(), record.offset(),
                    watch.seenAt(record.partition(), record.offset(), Instant.ofEpochMilli(record.timestamp())),
                    answer(result), result.replayed()));
        });
        return results;
    }

    static GivenAnswer answer(ToolResult result) {
        ObjectNode said = Json.MAPPER.createObjectNode().put("status", result.status().name())
                .put("handle", result.handle());
        said.set("output", result.output());
        said.set("error", Json.MAPPER.valueToTree(result.error()));
        return new GivenAnswer(result.isFinal() ? Optional.empty() : Optional.of(String.valueOf(result.handle())),
                Optional.ofNullable(result.error()).map(ToolError::code), output(result.output()),
                Digests.sha256(Json.MAPPER.writeValueAsBytes(said)));
    }

    private static Optional<GivenAnswer.Output> output(@Nullable JsonNode output) {
        if (output == null || output.isNull())
            return Optional.empty();
        return Optional.of(new GivenAnswer.Output(output.path(EffectTools.CALL).asString(""),
                output.path(EffectTools.TEXT).asString("").length(), output.path(EffectLayer.LAYERS).asInt(0)));
    }

    private void read(Topic topic, TopicScan.Sink each) {
        List<TopicPartition> partitions = TopicScan.partitions(topics.name(topic), CrashFleet.PARTITIONS);
        try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", bootstrapServers), PATIENCE,
                TopicScan.Gauge.SILENT)) {
            scan.read(scan.beginnings(partitions), scan.writtenEnds(partitions), each);
        }
    }
}
