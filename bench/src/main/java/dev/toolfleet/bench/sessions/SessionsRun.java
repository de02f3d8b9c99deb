package dev.toolfleet.bench.sessions;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.toolfleet.bench.fleet.SessionMain;
import dev.toolfleet.bench.fleet.SoloFleet;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.bench.memory.ManyTools;
import dev.toolfleet.bench.timing.Latencies;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.json.Json;
import dev.toolfleet.session.message.MessageData;
import dev.toolfleet.session.transcript.Call;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import tools.jackson.databind.node.ObjectNode;

/// A run: a worker drains calls of tools that do nothing; then a session service drains their results, with the messages
/// that runtimes have written; then it works at a steady rate; then it reads a large state back. Used once, by
/// one thread.
///
/// @param root an empty folder for all that the run writes
/// @param progress receives the run's progress, line by line
public record SessionsRun(SessionsOptions options, Path root, Consumer<String> progress) {
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final WireCodec<MessageEvent> EVENTS = WireCodec.of(MessageEvent.class);
    private static final int MOST_OPEN = 20_000;
    /// Few, as a conversation has open ones at a time.
    private static final int CALLS_PER_INSTANCE = 5;
    private static final int INSTANCES = 10_000;
    private static final String TEXT = "The build of the module failed in its third test; it is made again. ";
    private static final Duration NO_PROGRESS = Duration.ofSeconds(90);
    private static final Duration READY = Duration.ofMinutes(5);
    private static final Duration WARM_UP = Duration.ofSeconds(20);
    private static final List<String> FLAGS = List.of("-Xmx512m", "-XX:+UseSerialGC",
            "-Dlogback.configurationFile=bench-logback.xml");

    /// Options of a run.
    ///
    /// @param calls drained by worker and service
    /// @param rate results a second while the latency is measured
    /// @param measured how long it is measured
    /// @param messages of the state that is read back
    public record SessionsOptions(int calls, int rate, Duration measured, int messages) {
        /// Checks the values.
        ///
        /// @throws IllegalArgumentException naming one
        public SessionsOptions {
            if (calls < 1_000 || calls > 10_000_000)
                throw new IllegalArgumentException("calls is " + calls + "; it must be 1000 to 10000000");
            if (rate < 1 || rate > 10_000)
                throw new IllegalArgumentException("rate is " + rate + "; it must be 1 to 10000");
            if (measured.toSeconds() < 1 || measured.toHours() >= 1)
                throw new IllegalArgumentException("seconds is " + measured.toSeconds() + "; it must be 1 to 3599");
            if (messages < 1_000 || messages > 100_000_000)
                throw new IllegalArgumentException("messages is " + messages + "; it must be 1000 to 100000000");
        }
    }

    /// Runs.
    ///
    /// @throws IllegalStateException when the run itself could not be done
    public SessionsReport run() throws IOException, InterruptedException {
        progress.accept("starting a broker and a worker ...");
        try (SoloFleet fleet = SoloFleet.start(root, ManyTools.class);
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", fleet.bootstrapServers(), "linger.ms", 5),
                        new ByteArraySerializer(), new ByteArraySerializer())) {
            double worker = drainCalls(fleet, producer);
            progress.accept(String.format(Locale.ROOT, "the worker: %,.0f results a second", worker));
            fleet.stopWorker();
            Path state = root.resolve("session-state");
            try (ChildJvm service = service(fleet, state)) {
                Drained drained = drainResults(fleet, service);
                progress.accept(String.format(Locale.ROOT, "the session service: %,.0f messages a second",
                        drained.written()));
                Latency latency = latency(fleet, producer);
                Duration restore = restore(fleet, producer, service, state);
                return new SessionsReport(worker, drained.written(), drained.applied(), options.rate(),
                        latency.all().at(50), latency.all().at(99),
                        latency.all().count(), latency.missing(), options.messages(), INSTANCES, restore);
            }
        }
    }

    private ChildJvm service(SoloFleet fleet, Path state) {
        return ChildJvm.start(new ChildJvm.Launch(SessionMain.class, FLAGS,
                List.of(state.toString(), SoloFleet.topics().prefix(), fleet.bootstrapServers()),
                root.resolve("sessions.log")));
    }

    /// Writes the calls, and lets a new worker drain them. The first fifth warms up.
    private double drainCalls(SoloFleet fleet, KafkaProducer<byte[], byte[]> producer) throws InterruptedException {
        fleet.stopWorker();
        for (int call = 0; call < options.calls(); call++) {
            // As runtimes do: the message before its call. Otherwise the service makes it, which takes longer.
            sendMessage(producer, call);
            sendCall(producer, call);
        }
        producer.flush();
        try (TopicScan results = fleet.reader(Topic.RESULT)) {
            fleet.replaceWorker();
            Clock clock = new Clock(options.calls(), "the worker");
            while (!clock.isDone())
                clock.add(results.poll(Duration.ofMillis(20)).count());
            return clock.perSecond();
        }
    }

    /// @param written messages of results a second
    /// @param applied the same, until the service has read them back
    private record Drained(double written, double applied) {}

    /// Counts messages of results, and states: one of each runtime's message, and one of each result's message, once the
    /// service has read it back.
    private Drained drainResults(SoloFleet fleet, ChildJvm service) throws InterruptedException {
        try (TopicScan scan = fleet.reader(Topic.SESSION_MESSAGE, Topic.SESSION_STATE)) {
            service.awaitReady(READY);
            Clock written = new Clock(options.calls(), "the session service");
            Clock applied = new Clock(2 * options.calls(), "the session service");
            while (!applied.isDone()) {
                int messages = 0;
                int states = 0;
                for (ConsumerRecord<byte[], byte[]> record : scan.poll(Duration.ofMillis(20))) {
                    if (record.topic().equals(SoloFleet.topics().name(Topic.SESSION_STATE)))
                        states++;
                    else if (isOfService(record))
                        messages++;
                }
                if (!written.isDone())
                    written.add(messages);
                applied.add(states);
            }
            return new Drained(written.perSecond(), applied.perSecond() / 2);
        }
    }

    /// Messages of runtimes have no headers here.
    private static boolean isOfService(ConsumerRecord<byte[], byte[]> record) {
        return record.headers().toArray().length > 0;
    }

    /// @param missing results whose message did not come
    private record Latency(Latencies all, int missing) {}

    private Latency latency(SoloFleet fleet, KafkaProducer<byte[], byte[]> producer) {
        int warm = (int) (options.rate() * WARM_UP.toSeconds());
        int calls = warm + (int) (options.rate() * options.measured().toSeconds());
        Map<String, Long> results = new HashMap<>();
        Map<String, Long> messages = new HashMap<>();
        try (TopicScan scan = fleet.reader(Topic.RESULT, Topic.SESSION_MESSAGE)) {
            // Skips the records of earlier phases.
            for (int empty = 0; empty < 5;)
                empty = scan.poll(Duration.ofMillis(100)).isEmpty() ? empty + 1 : 0;
            long begun = System.nanoTime();
            long heard = begun;
            int sent = 0;
            while (messages.size() < calls && System.nanoTime() - heard < NO_PROGRESS.toNanos()) {
                while (sent < calls && System.nanoTime() >= begun + (long) (sent * 1e9 / options.rate())) {
                    sendMessage(producer, options.calls() + sent);
                    sendResult(producer, options.calls() + sent);
                    sent++;
                }
                for (ConsumerRecord<byte[], byte[]> record : scan.poll(Duration.ofMillis(2))) {
                    heard = System.nanoTime();
                    if (record.topic().equals(SoloFleet.topics().name(Topic.RESULT)))
                        results.put(String.valueOf(RESULTS.read(record.value()).turnId()), heard);
                    else if (isOfService(record))
                        messages.put(String.valueOf(EVENTS.read(record.value()).turnId()), heard);
                }
            }
        }
        Latencies latencies = new Latencies();
        for (int call = warm; call < calls; call++) {
            Long result = results.get(turn(options.calls() + call));
            Long message = messages.get(turn(options.calls() + call));
            if (result != null && message != null)
                latencies.add(Math.max(0, message - result));
        }
        return new Latency(latencies, calls - warm - latencies.count());
    }

    private Duration restore(SoloFleet fleet, KafkaProducer<byte[], byte[]> producer, ChildJvm service, Path state)
            throws InterruptedException, IOException {
        progress.accept(String.format(Locale.ROOT, "writing %,d messages of %,d instances ...", options.messages(),
                INSTANCES));
        try (TopicScan states = fleet.reader(Topic.SESSION_STATE)) {
            for (int empty = 0; empty < 5;)
                empty = states.poll(Duration.ofMillis(100)).isEmpty() ? empty + 1 : 0;
            Clock clock = new Clock(options.messages(), "the session service");
            int sent = 0;
            while (!clock.isDone()) {
                while (sent < options.messages() && sent - clock.count < MOST_OPEN)
                    sendText(producer, sent++);
                clock.add(states.poll(Duration.ofMillis(20)).count());
            }
        }
        service.terminate();
        if (!service.awaitEnd(NO_PROGRESS))
            throw new IllegalStateException("the session service does not end");
        delete(state);
        long begun = System.nanoTime();
        try (ChildJvm next = service(fleet, state)) {
            next.awaitReady(READY);
            return Duration.ofNanos(System.nanoTime() - begun);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList())
                Files.delete(file);
        }
    }

    private static void sendCall(KafkaProducer<byte[], byte[]> producer, int number) {
        ToolCall call = ToolCall
                .of("call-0", Kind.READ_ONLY.toolName(), Json.MAPPER.createObjectNode().put("n", number),
                        instance(number))
                .inStep(PlannedCall.AGENT, turn(number), turn(number) + "-step-0", 0);
        send(producer, Topic.CALL, instance(number), CALLS.write(call));
    }

    /// A worker's result, without the worker: it would take the processor time of the service that is measured.
    private static void sendResult(KafkaProducer<byte[], byte[]> producer, int number) {
        ToolResult result = new ToolResult("call-0", Kind.READ_ONLY.toolName(), ResultStatus.OK,
                Json.MAPPER.createObjectNode().put("n", number), null, null, instance(number), PlannedCall.AGENT,
                turn(number), turn(number) + "-step-0", 1, false, null, number, null, null);
        send(producer, Topic.RESULT, instance(number), RESULTS.write(result));
    }

    private static void sendMessage(KafkaProducer<byte[], byte[]> producer, int number) {
        ObjectNode data = Json.MAPPER.createObjectNode().put("role", "assistant");
        data.putArray("content").add(MessageData.callPart(new Call("call-0", Kind.READ_ONLY.toolName(),
                Json.MAPPER.createObjectNode().put("n", number))));
        append(producer, instance(number), new SessionMessage("m-" + number, data, null, Instant.now(),
                new MessageSource(MessageSource.Type.ASSISTANT, turn(number) + "-step-0", null, null, null)));
    }

    private static void sendText(KafkaProducer<byte[], byte[]> producer, int number) {
        append(producer, "talk-" + number % INSTANCES, new SessionMessage("t-" + number,
                Json.MAPPER.createObjectNode().put("role", "user").put("content", TEXT + number), null, Instant.now(),
                MessageSource.of(MessageSource.Type.USER)));
    }

    private static void append(KafkaProducer<byte[], byte[]> producer, String instance, SessionMessage message) {
        send(producer, Topic.SESSION_MESSAGE, instance,
                EVENTS.write(MessageEvent.append(instance, PlannedCall.AGENT, message, "bench")));
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, Topic topic, String key, byte[] value) {
        var _ = producer.send(new ProducerRecord<>(SoloFleet.topics().name(topic), key.getBytes(StandardCharsets.UTF_8),
                value));
    }

    private static String instance(int number) {
        return "instance-" + number / CALLS_PER_INSTANCE;
    }

    private static String turn(int number) {
        return "turn-" + number;
    }

    /// Counts records as they come. The first fifth warms up.
    private static final class Clock {
        private final int all;
        private final int from;
        private final String who;
        private int count;
        private int countFrom;
        private long nanosFrom;
        private long heard = System.nanoTime();

        Clock(int all, String who) {
            this.all = all;
            this.from = all / 5;
            this.who = who;
        }

        void add(int more) {
            count += more;
            if (more > 0) {
                heard = System.nanoTime();
                if (nanosFrom == 0 && count >= from) {
                    nanosFrom = heard;
                    countFrom = count;
                }
            } else if (System.nanoTime() - heard > NO_PROGRESS.toNanos()) {
                throw new IllegalStateException("nothing came from " + who + " for " + NO_PROGRESS.toSeconds() + " s; "
                        + count + " of " + all + " records did");
            }
        }

        boolean isDone() {
            return count >= all;
        }

        double perSecond() {
            return (count - countFrom) / ((heard - nanosFrom) / 1e9);
        }
    }
}
