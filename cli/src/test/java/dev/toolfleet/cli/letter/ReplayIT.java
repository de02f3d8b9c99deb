package dev.toolfleet.cli.letter;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.cli.TypedCommands;
import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Calls that were dead letters, and are sent again to a fleet that runs.
class ReplayIT {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @TempDir
    private Path folder = Path.of("");
    private final TypedCommands commands = TypedCommands.of(200);
    private final StringWriter out = commands.out();
    private final StringWriter err = commands.err();

    @Test
    void aReplayedCallKeepsItsIdentitySoThatOneWithAResultDoesNotRunAgain() throws Exception {
        Path bundle = Files.createDirectories(folder.resolve("bundle"));
        Files.writeString(bundle.resolve("toolfleet.yaml"), CountingTools.BUNDLE);
        FleetPlan plan = FleetPlan.temporary(folder.resolve("work"),
                LocalBundle.calledLikeItsFolder(BundleCheck.check(bundle)), Map.of());
        try (ProgressNote progress = new ProgressNote(commands.terminal());
                OneJvmFleet fleet = OneJvmFleet.start(plan, progress);
                ToolFleetClient client = ToolFleetClient.open(fleet.clientConfig("test"));
                var producer = new KafkaProducer<>(Map.of("bootstrap.servers", fleet.bootstrapServers()),
                        new ByteArraySerializer(), new ByteArraySerializer())) {
            client.beginStep(new StepStarted("i", "coder", "t", "s", 1, null, null, null)).toCompletableFuture().get(
                    DEADLINE.toSeconds(), TimeUnit.SECONDS);
            byte[] ran = call("ran");
            RecordMetadata place = producer.send(record("tool.call", ran)).get();
            assertThat(results(fleet, 1).getFirst().status()).isEqualTo(ResultStatus.OK);
            String again = letter(producer, ran, place);
            String never = letter(producer, call("never"), place);

            assertThat(run(fleet, "dlq", "replay", again, never, "--yes")).as(err.toString()).isZero();

            List<ToolResult> results = results(fleet, 3);
            assertThat(results.stream().filter(result -> result.toolCallId().equals("ran")))
                    .extracting(ToolResult::replayed).containsExactly(false, true);
            assertThat(results.stream().filter(result -> result.toolCallId().equals("never")))
                    .extracting(ToolResult::replayed).containsExactly(false);
            assertThat(CountingTools.runs("ran")).isEqualTo(1);
            assertThat(CountingTools.runs("never")).isEqualTo(1);
            assertThat(run(fleet, "tail", "results", "--from-beginning", "--no-follow")).isZero();
            assertThat(out.toString()).contains("replayed ok");
        }
    }

    private static byte[] call(String id) {
        return WireCodec.of(ToolCall.class).write(ToolCall
                .of(id, "count__up", Json.MAPPER.createObjectNode().put("tag", id), "i").inStep("coder", "t", "s", 1));
    }

    private static ProducerRecord<byte[], byte[]> record(String topic, byte[] value) {
        return new ProducerRecord<>(topic, "i".getBytes(StandardCharsets.UTF_8), value);
    }

    private static String letter(KafkaProducer<byte[], byte[]> producer, byte[] value, RecordMetadata place)
            throws Exception {
        ProducerRecord<byte[], byte[]> letter = record("tool.dead-letter", value);
        String origin = place.topic() + "/" + place.partition() + "/" + place.offset();
        letter.headers().add(WireHeaders.REASON, "malformed: of an old worker".getBytes(StandardCharsets.UTF_8))
                .add(WireHeaders.ORIGIN, origin.getBytes(StandardCharsets.UTF_8));
        RecordMetadata written = producer.send(letter).get();
        return written.partition() + ":" + written.offset();
    }

    private static List<ToolResult> results(OneJvmFleet fleet, int count) {
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        List<ToolResult> results = new ArrayList<>();
        while (results.size() < count && System.nanoTime() < deadline) {
            results.clear();
            try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", fleet.bootstrapServers()),
                    Duration.ofSeconds(10), TopicScan.Gauge.SILENT)) {
                scan.read(scan.beginnings(scan.partitions("tool.result")),
                        record -> results.add(WireCodec.of(ToolResult.class).read(record.value())));
            }
        }
        assertThat(results).hasSize(count);
        return results;
    }

    private int run(OneJvmFleet fleet, String... arguments) {
        return commands.with("--bootstrap", fleet.bootstrapServers()).run(arguments);
    }
}
