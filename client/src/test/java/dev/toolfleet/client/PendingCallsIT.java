package dev.toolfleet.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

import dev.toolfleet.client.ToolFleetClientException.Reason;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.client.ToolFleetClientIT.call;
import static dev.toolfleet.client.ToolFleetClientIT.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Calls with two results, and the states of their handles on the topics.
@EmbeddedKafkaTest
class PendingCallsIT {
    private static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    private static final WireCodec<ToolProgress> PROGRESS = WireCodec.of(ToolProgress.class);

    private final FakeFleet fleet;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaProducer<byte[], byte[]> transactions;
    private final Queue<FakeFleet.Received> held = new ConcurrentLinkedQueue<>();
    // With the precision of the records.
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    PendingCallsIT(KafkaFixture kafka) {
        fleet = new FakeFleet(kafka).onCall(held::add);
        for (Topic topic : List.of(Topic.PENDING, Topic.PROGRESS, Topic.CONTROL))
            kafka.create(topic.baseName(), topic == Topic.PENDING ? 3 : FakeFleet.PARTITIONS, topic.config());
        producer = new KafkaProducer<>(kafka.producerProperties(), new ByteArraySerializer(),
                new ByteArraySerializer());
        Map<String, Object> transactional = kafka.producerProperties();
        transactional.put("transactional.id", kafka.topic("tx"));
        transactions = new KafkaProducer<>(transactional, new ByteArraySerializer(), new ByteArraySerializer());
        transactions.initTransactions();
    }

    @AfterEach
    void close() {
        producer.close();
        transactions.close();
        fleet.close();
    }

    @Test
    void aClientThatRestartsBetweenTheTwoResultsGetsBoth() {
        CallIdentity identity;
        String stored;
        try (ToolFleetClient first = ToolFleetClient.open(fleet.config())) {
            CallHandle handle = first.call(call("i", "call_0", "step-1"));
            identity = get(handle.sent()).identity();
            answerHeld(1, one -> fleet.answer(one.partition(), one.pending("h-1")));
            assertThat(get(handle.firstResult()).handle()).isEqualTo("h-1");
            stored = first.position().toJson();
        }
        held.forEach(one -> fleet.answer(one.partition(), one.ok()));

        try (ToolFleetClient second = ToolFleetClient.open(fleet.config(), ClientPosition.fromJson(stored))) {
            CallHandle again = second.await(identity, Duration.ofMinutes(1));
            assertThat(get(again.firstResult()).status()).isEqualTo(ResultStatus.PENDING);
            assertThat(get(again.result()).status()).isEqualTo(ResultStatus.OK);
        }
    }

    @Test
    void aTimeoutOfAPendingCallNamesItsHandle() {
        try (ToolFleetClient client = ToolFleetClient
                .open(fleet.config().waiting(Duration.ofMinutes(1), Duration.ofMillis(100)))) {
            CallHandle handle = client.call(call("i", "call_0", "step-1"));
            answerHeld(1, one -> fleet.answer(one.partition(), one.pending("h-1")));

            assertThatThrownBy(() -> get(handle.result())).cause()
                    .isInstanceOfSatisfying(ToolFleetClientException.class,
                            problem -> assertThat(problem.reason()).isEqualTo(Reason.TIMEOUT))
                    .hasMessageContaining("has a pending result, and no final one after PT0.1S")
                    .hasMessageContaining("handle 'h-1'");
            assertThat(get(handle.firstResult()).handle()).isEqualTo("h-1");
        }
    }

    @Test
    void theStateOfAHandleIsWhatIsCommitted() {
        PendingCall open = PendingCalls.at(1, 7, "h-open", now);
        PendingCall ended = PendingCalls.at(2, 8, "h-ended", now);
        transactions.beginTransaction();
        pending(transactions, "h-aborted", PendingCalls.at(0, 9, "h-aborted", now));
        transactions.abortTransaction();
        transactions.beginTransaction();
        pending(transactions, "h-open", open);
        pending(transactions, "h-ended", ended);
        transactions.commitTransaction();
        progress(open, 30, now.plusSeconds(1));
        progress(open, 60, now.plusSeconds(2));
        pending(producer, "h-ended", null);
        fleet.answer(2, Results.pending(ended.call(), 8, "h-ended"));
        fleet.answer(1, Results.ok(ended.call(), 8));

        try (ToolFleetClient client = ToolFleetClient.open(fleet.config())) {
            // The marks of a commit may come after it.
            Awaitility.await().atMost(Duration.ofMinutes(1))
                    .until(() -> get(client.handle("h-open")) instanceof HandleState.Open
                            && get(client.handle("h-ended")) instanceof HandleState.Ended);
            assertThat(get(client.handle("h-aborted"))).isEqualTo(new HandleState.Unknown("h-aborted"));
            assertThat(get(client.handle("h-open"))).isInstanceOfSatisfying(HandleState.Open.class, state -> {
                assertThat(state.call()).isEqualTo(open);
                assertThat(state.heardAt()).isEqualTo(now.plusSeconds(2));
                assertThat(state.progress()).get().extracting(ToolProgress::progress)
                        .isEqualTo(new Progress(60.0, "at 60"));
            });
            assertThat(get(client.handle("h-ended"))).isInstanceOfSatisfying(HandleState.Ended.class,
                    state -> assertThat(state.result()).as("the result of that offset in another partition").isEmpty());

            fleet.answer(2, Results.ok(ended.call(), 8));

            assertThat(get(client.handle("h-ended"))).isInstanceOfSatisfying(HandleState.Ended.class,
                    state -> assertThat(state.result()).contains(Results.ok(ended.call(), 8)));
        }
    }

    @Test
    void theListHoldsOpenHandlesTheOldestFirst() {
        pending(producer, "h-new", PendingCalls.at(1, 7, "h-new", now));
        pending(producer, "h-old", PendingCalls.at(2, 8, "h-old", now.minusSeconds(60)));
        pending(producer, "h-other", PendingCalls.at(2, 9, "h-other", now));
        pending(producer, "h-other", PendingCalls.at(1, 11, "h-other", now));
        pending(producer, "h-ended", PendingCalls.at(3, 10, "h-ended", now));
        pending(producer, "h-ended", null);
        fleet.write(Topic.PENDING, 0, "h-bad", "no JSON".getBytes(StandardCharsets.UTF_8));
        progress(PendingCalls.at(2, 8, "h-old", now), 50, now);
        Queue<String> read = new ConcurrentLinkedQueue<>();

        try (HandleReader reader = HandleReader.open(fleet.config(), (topic, done, all) -> read.add(topic))) {
            List<HandleState.Open> open = reader.open(call -> call.callOffset() != 9);

            assertThat(open).as("h-other is another call's").extracting(HandleState.Open::handle)
                    .containsExactly("h-old", "h-new");
            assertThat(open.getFirst().heardAt()).isEqualTo(now);
            assertThat(open.getFirst().call().call().args()).as("what may be large is not kept").isEmpty();
            assertThat(read).contains(fleet.topics.name(Topic.PENDING), fleet.topics.name(Topic.PROGRESS));
        }
    }

    @Test
    void aCancellationStandsOnToolControlByItsInstance() {
        CancelCall cancel = new CancelCall("i", "call_0", "step-1", null, "me", "changed my mind", "coder", "t-1");
        Queue<CancelCall> written = new ConcurrentLinkedQueue<>();

        try (ToolFleetClient client = ToolFleetClient.open(fleet.config());
                TopicScan scan = TopicScan.open(fleet.config().properties(), Duration.ofMinutes(1),
                        TopicScan.Gauge.SILENT)) {
            get(client.cancel(cancel));
            List<TopicPartition> partitions = scan.partitions(fleet.topics.name(Topic.CONTROL));
            scan.read(scan.beginnings(partitions), record -> {
                assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo("i");
                written.add(WireCodec.of(CancelCall.class).read(record.value()));
            });

            assertThat(written).containsExactly(cancel);
            assertThatThrownBy(
                    () -> client.cancel(new CancelCall("i", null, null, null, "me", null, "coder", null)))
                    .hasMessageContaining("names no call");
        }
    }

    @Test
    void closingEndsAQuestionThatIsBeingAnswered() {
        ToolFleetClient client = ToolFleetClient.open(fleet.config());
        CompletableFuture<HandleState> answer = client.handle("h-1").toCompletableFuture();
        client.close();

        Awaitility.await().atMost(Duration.ofMinutes(1)).until(answer::isDone);
        if (answer.isCompletedExceptionally())
            assertThat(answer.exceptionNow()).hasMessageContaining("the state of handle 'h-1' was being read");
        else
            assertThat(answer.join()).isEqualTo(new HandleState.Unknown("h-1"));
    }

    private void answerHeld(int calls, Consumer<FakeFleet.Received> answer) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> held.size() == calls);
        held.forEach(answer);
    }

    private void pending(KafkaProducer<byte[], byte[]> by, String handle, @Nullable PendingCall call) {
        // The default partitioner chooses the partition, as for the fleet's own.
        var _ = by.send(new ProducerRecord<>(fleet.topics.name(Topic.PENDING), handle.getBytes(StandardCharsets.UTF_8),
                call == null ? null : PENDING.write(call)));
        by.flush();
    }

    private void progress(PendingCall call, double percent, Instant at) {
        ToolProgress progress = new ToolProgress(call.call().id(), call.call().name(), call.handle(),
                call.call().instanceKey(), null, null, null, new Progress(percent, "at " + Math.round(percent)), at);
        fleet.write(Topic.PROGRESS, call.partition(), call.call().instanceKey(), PROGRESS.write(progress));
    }
}
