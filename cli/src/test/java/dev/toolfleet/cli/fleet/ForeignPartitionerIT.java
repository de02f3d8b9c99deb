package dev.toolfleet.cli.fleet;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Producers with librdkafka's default partitioner (CRC32 of the key) work like any other, because partition numbers
/// are followed and never recomputed.
class ForeignPartitionerIT {
    private static final int INSTANCES = 40;
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools: [{ref: {kind: Tool, name: file-system, package: "@toolfleet/base"}}]
            """;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void callsAndStepsOfAnotherPartitionerAreAnsweredInTheirOwnPartitions() throws Exception {
        Path bundle = Files.createDirectories(folder.resolve("bundle"));
        Files.writeString(bundle.resolve("toolfleet.yaml"), BUNDLE);
        Terminal terminal = new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()),
                false,
                false, 100);
        FleetPlan plan = FleetPlan.temporary(folder.resolve("work"),
                LocalBundle.calledLikeItsFolder(BundleCheck.check(bundle)), Map.of("worker.catalog.wait", "2m"));
        try (ProgressNote progress = new ProgressNote(terminal);
                OneJvmFleet fleet = OneJvmFleet.start(plan, progress)) {
            announceAndCall(fleet);

            List<ConsumerRecord<byte[], byte[]>> results = results(fleet, INSTANCES);

            assertThat(results).allSatisfy(record -> {
                ToolResult result = WireCodec.of(ToolResult.class).read(record.value());
                assertThat(result.status()).as(String.valueOf(result.error())).isEqualTo(ResultStatus.OK);
                assertThat(record.partition()).isEqualTo(crc(result.instanceKey()));
            });
            assertThat(results.stream().map(ConsumerRecord::partition).distinct()).as("several partitions took part")
                    .hasSizeGreaterThan(1);
        }
    }

    private static void announceAndCall(OneJvmFleet fleet) {
        Map<String, Object> properties = Map.of("bootstrap.servers", fleet.bootstrapServers(), "acks", "all");
        WireCodec<StepEvent> steps = WireCodec.of(StepEvent.class);
        WireCodec<ToolCall> calls = WireCodec.of(ToolCall.class);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < INSTANCES; i++) {
                String instance = "instance-" + i;
                byte[] key = instance.getBytes(StandardCharsets.UTF_8);
                var _ = producer.send(new ProducerRecord<>(Topic.STEP.baseName(), crc(instance), key,
                        steps.write(new StepStarted(instance, "coder", "t", "s", 0, null, null, null))));
                ToolCall call = ToolCall
                        .of("c", "file-system__mkdir", Json.MAPPER.valueToTree(Map.of("path", "a")), instance)
                        .inStep("coder", "t", "s", 0);
                var _ = producer
                        .send(new ProducerRecord<>(Topic.CALL.baseName(), crc(instance), key, calls.write(call)));
            }
        }
    }

    private static int crc(String key) {
        CRC32 crc = new CRC32();
        crc.update(key.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % FleetPlan.PARTITIONS);
    }

    private static List<ConsumerRecord<byte[], byte[]>> results(OneJvmFleet fleet, int count) {
        List<TopicPartition> partitions = IntStream.range(0, FleetPlan.PARTITIONS)
                .mapToObj(number -> new TopicPartition(Topic.RESULT.baseName(), number)).toList();
        Map<String, Object> properties = Map.of("bootstrap.servers", fleet.bootstrapServers(), "isolation.level",
                "read_committed");
        Map<String, ConsumerRecord<byte[], byte[]>> found = new HashMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Instant until = Instant.now().plusSeconds(60);
            while (found.size() < count && Instant.now().isBefore(until)) {
                consumer.poll(Duration.ofMillis(100))
                        .forEach(record -> found.put(record.partition() + "/" + record.offset(), record));
            }
        }
        assertThat(found).hasSize(count);
        return List.copyOf(found.values());
    }
}
