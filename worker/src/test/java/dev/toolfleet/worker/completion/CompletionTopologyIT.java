package dev.toolfleet.worker.completion;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import dev.toolfleet.streams.StreamsRun;
import dev.toolfleet.streams.StreamsSettings;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.telemetry.Meters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// The topology on a broker, without an engine around it.
@EmbeddedKafkaTest
class CompletionTopologyIT {
    private static final int HANDLES = 300;
    private static final int PARTITIONS = 3;
    private static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    private static final WireCodec<Completion> COMPLETIONS = WireCodec.of(Completion.class);
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());

    private static final class NobodyToAsk implements HandleModules {
        @Override
        public Optional<PollSpec> poll(ToolRef tool) {
            return Optional.empty();
        }

        @Override
        public PollAnswer ask(ToolRef tool, PendingWork work) {
            return PollAnswer.running();
        }

        @Override
        public void cancel(ToolRef tool, PendingWork work) {}

        @Override
        public Progress shown(PendingCall call, Progress progress) {
            return progress;
        }
    }

    private StreamsRun run(KafkaFixture kafka, Topics topics, Path state) {
        CompletionSetup setup = new CompletionSetup(topics, "w1", PARTITIONS, PARTITIONS,
                new ModuleCalls(new NobodyToAsk()), new Meters(new SimpleMeterRegistry()), now::get);
        StreamsRun run = new StreamsRun("the test", CompletionTopology.of(setup), new StreamsSettings(
                topics.prefix() + "completions", state, -1, Map.of("bootstrap.servers", kafka.bootstrapServers())));
        run.start(Duration.ofSeconds(30));
        return run;
    }

    /// As librdkafka places records.
    private static int foreign(String handle) {
        CRC32 crc = new CRC32();
        crc.update(handle.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % PARTITIONS);
    }

    private static String handle(int number) {
        return "build-" + number;
    }

    private PendingCall pending(int number) {
        PendingCall call = Handles.waiting(number);
        return new PendingCall(handle(number), call.kind(), call.call(), number % PARTITIONS, number, null, null,
                now.get().plus(Duration.ofHours(1)), null, null, now.get(), call.origin());
    }

    private static byte[] completed(int number) {
        return COMPLETIONS.write(Completion.completed(handle(number), Json.MAPPER.valueToTree(number), null));
    }

    @Test
    void aRestartLosesNoHandleAndEveryOneEndsOnceWhateverPartitionerCompletesIt(KafkaFixture kafka) {
        Topics topics = new Topics(kafka.prefix());
        new FleetTopics(topics, Map.of("bootstrap.servers", kafka.bootstrapServers()), Duration.ofSeconds(15))
                .create(OptionalInt.of(PARTITIONS), OptionalInt.empty());
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(kafka.producerProperties(),
                new ByteArraySerializer(), new ByteArraySerializer())) {
            try (StreamsRun first = run(kafka, topics, folder.resolve("a"))) {
                assertThat(first.isRunning()).isTrue();
                for (int i = 0; i < HANDLES; i++)
                    send(producer, topics.name(Topic.PENDING), null, handle(i), PENDING.write(pending(i)));
                for (int i = 0; i < HANDLES / 3; i++)
                    complete(producer, topics, i);
                producer.flush();
                outcomes(kafka, topics, HANDLES / 10);
            }
            for (int i = HANDLES / 3; i < 2 * HANDLES / 3; i++)
                complete(producer, topics, i);
            producer.flush();
            // All that was on this disk is read back from the changelogs.
            try (StreamsRun second = run(kafka, topics, folder.resolve("b"))) {
                assertThat(second.isRunning()).isTrue();
                outcomes(kafka, topics, 2 * HANDLES / 3);
            }
            now.updateAndGet(time -> time.plus(Duration.ofHours(2)));
            // What is left is due since it was down.
            try (StreamsRun third = run(kafka, topics, folder.resolve("b"))) {
                assertThat(third.isRunning()).isTrue();
                Map<Integer, Completion.Kind> ends = new HashMap<>();
                for (ConsumerRecord<byte[], byte[]> record : outcomes(kafka, topics, HANDLES)) {
                    ResumedCall call = RESUMED.read(record.value());
                    int number = (int) call.callOffset();
                    assertThat(record.partition()).isEqualTo(number % PARTITIONS);
                    assertThat(ends.put(number, requireNonNull(call.outcome()).kind())).as("ended once").isNull();
                }
                for (int i = 0; i < HANDLES; i++) {
                    assertThat(ends).containsEntry(i,
                            i < 2 * HANDLES / 3 ? Completion.Kind.COMPLETED : Completion.Kind.FAILED);
                }
                complete(producer, topics, HANDLES - 1);
                producer.flush();
                assertThat(records(kafka, topics.name(Topic.DEAD_LETTER), 1)).hasSize(1);
                assertThat(outcomes(kafka, topics, HANDLES)).hasSize(HANDLES);
                assertThat(tombstones(kafka, topics)).isEqualTo(HANDLES);
            }
        }
    }

    private static void complete(KafkaProducer<byte[], byte[]> producer, Topics topics, int number) {
        send(producer, topics.name(Topic.COMPLETION), foreign(handle(number)), handle(number), completed(number));
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, String topic, @Nullable Integer partition,
            String key, byte[] value) {
        var _ = producer.send(new ProducerRecord<>(topic, partition, key.getBytes(StandardCharsets.UTF_8), value));
    }

    private static List<ConsumerRecord<byte[], byte[]>> outcomes(KafkaFixture kafka, Topics topics, int atLeast) {
        return records(kafka, topics.name(Topic.CALL_RESUMED), atLeast);
    }

    private static long tombstones(KafkaFixture kafka, Topics topics) {
        return records(kafka, topics.name(Topic.PENDING), 2 * HANDLES).stream().filter(one -> one.value() == null)
                .count();
    }

    private static List<ConsumerRecord<byte[], byte[]>> records(KafkaFixture kafka, String topic, int atLeast) {
        List<TopicPartition> assigned = IntStream.range(0, PARTITIONS)
                .mapToObj(number -> new TopicPartition(topic, number)).toList();
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        Map<String, Object> properties = kafka.consumerProperties(kafka.newGroup());
        properties.put("isolation.level", "read_committed");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(assigned);
            consumer.seekToBeginning(assigned);
            Instant until = Instant.now().plusSeconds(30);
            while (found.size() < atLeast && Instant.now().isBefore(until))
                consumer.poll(Duration.ofMillis(100)).forEach(found::add);
        }
        assertThat(found).hasSizeGreaterThanOrEqualTo(atLeast);
        return found;
    }
}
