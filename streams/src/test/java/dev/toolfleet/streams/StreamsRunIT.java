package dev.toolfleet.streams;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.Stores;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@EmbeddedKafkaTest
class StreamsRunIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String BROKEN = "test: a processor is broken";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    @SuppressWarnings("NullAway.Init")
    private KafkaFixture kafka;
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @BeforeEach
    void on(KafkaFixture broker) {
        kafka = broker;
    }

    @Test
    void aStartedRunProcessesUntilItIsClosed() {
        String in = kafka.create("in", 1);
        StreamsRun run = run(reading(in, seen::add), kafka.bootstrapServers());
        assertThat(run.isRunning()).isFalse();
        run.start(PATIENCE);
        send(in, "a");
        // New topics may cause a second rebalance: what holds is that it ends.
        Awaitility.await().atMost(PATIENCE).until(() -> seen.contains("a") && run.owns(0));

        assertThat(run.owns(1)).isFalse();
        assertThat(run.stopped()).isNotDone();
        run.close();

        assertThat(run.isRunning()).isFalse();
        assertThat(run.owns(0)).isFalse();
        assertThat(run.stopped()).isCompleted();
        assertThatThrownBy(() -> run.start(PATIENCE)).isInstanceOf(StreamsStartException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void anIdleRunPollsSeldomAndReadsWhatComesAllTheSame() throws Exception {
        String in = kafka.create("in", 1);
        try (StreamsRun run = run(reading(in, seen::add), kafka.bootstrapServers())) {
            run.start(PATIENCE);
            // A rebalance that is under way polls more often.
            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertRestsForTwoSeconds(run));
            send(in, "a");
            Awaitility.await().atMost(PATIENCE).until(() -> seen.contains("a"));
        }
    }

    private static void assertRestsForTwoSeconds(StreamsRun run) throws InterruptedException {
        long begun = System.nanoTime();
        double before = polls(run);
        TimeUnit.SECONDS.sleep(2);
        double polls = polls(run) - before;
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        assertThat(polls).as("in %s", took).isBetween(1.0, 3.0 * took.dividedBy(PollPace.REST));
    }

    private static double polls(StreamsRun run) {
        return run.streams().orElseThrow().metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("poll-total"))
                .mapToDouble(metric -> (double) metric.getValue().metricValue()).sum();
    }

    @Test
    void aThreadThatDiesIsReplacedAndItsRecordIsProcessedAgain() {
        String in = kafka.create("in", 1);
        AtomicInteger attempts = new AtomicInteger();
        try (StreamsRun run = run(reading(in, value -> {
            if (value.equals("bad") && attempts.incrementAndGet() == 1)
                throw new IllegalStateException(BROKEN);
            seen.add(value);
        }), kafka.bootstrapServers())) {
            run.start(PATIENCE);
            send(in, "bad");
            send(in, "good");

            Awaitility.await().atMost(PATIENCE)
                    .until(() -> seen.stream().distinct().toList().equals(List.of("bad", "good")) && run.isRunning());
            assertThat(run.replacedThreads()).isEqualTo(1);
            assertThat(run.stopped()).isNotDone();
        }
    }

    @Test
    void whatNoOtherThreadCanMendEndsTheRunWithItsReason() {
        String in = kafka.create("in", 1);
        String table = kafka.create("table", 1);
        try (StreamsRun run = run(withTable(reading(in, seen::add), table, value -> {
            throw new IllegalStateException(BROKEN);
        }), kafka.bootstrapServers())) {
            run.start(PATIENCE);
            send(table, "bad");

            assertThat(run.stopped()).failsWithin(PATIENCE).withThrowableOfType(ExecutionException.class)
                    .havingRootCause().withMessage(BROKEN);
            assertThat(run.isRunning()).isFalse();
        }
    }

    @Test
    void aStartThatCannotSucceedFailsWithTheReason() {
        String in = kafka.create("in", 1);
        String table = kafka.create("table", 1);
        send(table, "bad");
        StreamsRun run = run(withTable(reading(in, seen::add), table, value -> {
            throw new IllegalStateException(BROKEN);
        }), kafka.bootstrapServers());

        assertThatThrownBy(() -> run.start(PATIENCE)).isInstanceOf(StreamsStartException.class)
                .hasMessage("the test '" + kafka.topic("app") + "' (state in " + folder + ") could not start: "
                        + BROKEN);
        assertThat(run.isRunning()).isFalse();
    }

    @Test
    void aStartThatTakesTooLongEndsAlsoWhileAGlobalStoreIsRead() {
        StreamsRun run = run(withTable(reading("in", seen::add), "table", seen::add), "localhost:1");

        assertThatThrownBy(() -> run.start(Duration.ofMillis(500))).isInstanceOf(StreamsStartException.class)
                .hasMessageContaining("not ready within 500 ms");
        assertThat(run.stopped()).isCompleted();
    }

    @Test
    void closingEndsAStartThatIsUnderWay() {
        StreamsRun run = run(withTable(reading("in", seen::add), "table", seen::add), "localhost:1");
        CompletableFuture<Void> start = CompletableFuture.runAsync(() -> run.start(Duration.ofMinutes(5)));
        Awaitility.await().atMost(PATIENCE).until(() -> Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().startsWith(kafka.topic("app"))));
        run.close();

        assertThat(start).failsWithin(PATIENCE).withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(StreamsStartException.class).withMessageContaining("it was closed");
    }

    private StreamsRun run(Topology topology, String bootstrap) {
        return new StreamsRun("the test", topology,
                new StreamsSettings(kafka.topic("app"), folder, 1, Map.of("bootstrap.servers", bootstrap)));
    }

    private static Topology reading(String topic, Consumer<String> then) {
        return new Topology().addSource("in", new StringDeserializer(), new StringDeserializer(), topic)
                .addProcessor("then", () -> new Each(then), "in");
    }

    private static Topology withTable(Topology topology, String topic, Consumer<String> then) {
        return topology.addGlobalStore(
                Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore("table"), Serdes.String(), Serdes.String())
                        .withLoggingDisabled(),
                "from-table", new StringDeserializer(), new StringDeserializer(), topic, "each-of-table",
                () -> new Each(then));
    }

    private void send(String topic, String value) {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(kafka.producerProperties())) {
            producer.send(new ProducerRecord<>(topic, "key", value)).get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private record Each(Consumer<String> then) implements Processor<String, String, Void, Void> {
        @Override
        public void process(Record<String, String> record) {
            then.accept(record.value());
        }
    }
}
