package dev.toolfleet.worker.completion;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.streams.StreamsSettings;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.completion.Handles.COMPLETIONS;
import static dev.toolfleet.worker.completion.Handles.DECISIONS;
import static dev.toolfleet.worker.completion.Handles.PENDING;
import static dev.toolfleet.worker.completion.Handles.START;
import static java.util.Objects.requireNonNull;

/// The topology in Kafka Streams' test driver, with one module and a clock that the test moves.
abstract class TopologyFixture {
    private static final Topics TOPICS = new Topics("acme.");
    static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);
    static final WireCodec<AuditEvent> AUDIT = WireCodec.of(AuditEvent.class);
    static final WireCodec<ToolProgress> PROGRESS = WireCodec.of(ToolProgress.class);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final Asked asked = new Asked();
    final ModuleCalls modules = new ModuleCalls(asked);
    final AtomicReference<Instant> now = new AtomicReference<>(START);
    private @Nullable TopologyTestDriver driver;

    /// A module that can be asked.
    static final class Asked implements HandleModules {
        final BlockingQueue<PendingWork> cancelled = new LinkedBlockingQueue<>();
        final BlockingQueue<PendingWork> questions = new LinkedBlockingQueue<>();
        final BlockingQueue<PollAnswer> answers = new LinkedBlockingQueue<>();
        Optional<PollSpec> poll = Optional.empty();
        boolean sensitive;

        @Override
        public Optional<PollSpec> poll(ToolRef tool) {
            return poll;
        }

        @Override
        public boolean sensitive(ToolRef tool) {
            return sensitive;
        }

        @Override
        public PollAnswer ask(ToolRef tool, PendingWork work) throws InterruptedException {
            questions.add(work);
            return answers.take();
        }

        @Override
        public void cancel(ToolRef tool, PendingWork work) {
            cancelled.add(work);
        }

        @Override
        public Progress shown(PendingCall call, Progress progress) {
            return progress;
        }
    }

    @BeforeEach
    void open() {
        CompletionSetup setup = new CompletionSetup(TOPICS, "w1", 4, 4, modules, new WorkerMeters(registry), now::get);
        Properties settings = new StreamsSettings("acme.toolfleet-completions", folder, -1,
                Map.of("bootstrap.servers", "none:1")).properties();
        driver = new TopologyTestDriver(CompletionTopology.of(setup), settings, START);
    }

    @AfterEach
    void close() {
        driver().close();
        modules.close();
    }

    TopologyTestDriver driver() {
        if (driver == null)
            throw new IllegalStateException("not open");
        return driver;
    }

    void send(Topic topic, byte @Nullable [] key, byte @Nullable [] value) {
        driver().createInputTopic(TOPICS.name(topic), new ByteArraySerializer(), new ByteArraySerializer())
                .pipeInput(new TestRecord<>(key, value, new RecordHeaders().add("own", utf8("kept")), START));
    }

    void send(PendingCall call) {
        send(Topic.PENDING, utf8(call.handle()), PENDING.write(call));
    }

    void send(Decision decision) {
        send(Topic.DECISION, utf8("any"), DECISIONS.write(decision));
    }

    void send(Completion completion) {
        send(Topic.COMPLETION, utf8("any"), COMPLETIONS.write(completion));
    }

    void advance(Duration by) {
        now.updateAndGet(time -> time.plus(by));
        driver().advanceWallClockTime(HandleProcessor.TICK);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    List<TestRecord<byte[], byte[]>> read(Topic topic) {
        List<TestRecord<byte[], byte[]>> records = new ArrayList<>();
        for (var next = record(topic); next != null; next = record(topic))
            records.add(next);
        return records;
    }

    @Nullable
    TestRecord<byte[], byte[]> record(Topic topic) {
        try {
            return driver().createOutputTopic(TOPICS.name(topic), new ByteArrayDeserializer(),
                    new ByteArrayDeserializer()).readRecord();
        } catch (NoSuchElementException e) {
            return null;
        }
    }

    TestRecord<byte[], byte[]> one(Topic topic) {
        return requireNonNull(record(topic));
    }

    /// Returns the end of the next call.
    Completion end() {
        return requireNonNull(outcomes().getFirst().outcome());
    }

    List<ResumedCall> outcomes() {
        return read(Topic.CALL_RESUMED).stream().map(record -> RESUMED.read(record.value())).toList();
    }

    List<AuditEvent> events() {
        return read(Topic.AUDIT).stream().map(record -> AUDIT.read(record.value())).toList();
    }

    Map<String, String> letters() {
        Map<String, String> reasons = new HashMap<>();
        read(Topic.DEAD_LETTER).forEach(record -> reasons.put(
                String.valueOf(KafkaHeaders.text(record.headers(), WireHeaders.REASON)),
                String.valueOf(KafkaHeaders.text(record.headers(), WireHeaders.ORIGIN))));
        return reasons;
    }

    double count(String name, String tag, String value) {
        return registry.get(name).tag(tag, value).counter().count();
    }

    int entries(String store) {
        int count = 0;
        try (var all = driver().<Object, Object>getKeyValueStore(store).all()) {
            for (; all.hasNext(); all.next())
                count++;
        }
        return count;
    }

    void awaitTicks(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(5)).until(() -> {
            advance(Duration.ZERO);
            return condition.call();
        });
    }
}
