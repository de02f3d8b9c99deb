package dev.toolfleet.client;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.client.ToolFleetClientException.Reason;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@EmbeddedKafkaTest
class ToolFleetClientIT {
    private final KafkaFixture kafka;
    private final FakeFleet fleet;
    private ToolFleetClient client;

    ToolFleetClientIT(KafkaFixture kafka) {
        this.kafka = kafka;
        this.fleet = new FakeFleet(kafka);
        this.client = ToolFleetClient.open(fleet.config());
    }

    @BeforeEach
    void answerAtOnce() {
        fleet.onCall(call -> fleet.answer(call.partition(), call.ok()));
    }

    @AfterEach
    void close() {
        client.close();
        fleet.close();
    }

    @Test
    void manyThreadsGetTheResultsOfTheirOwnCalls() throws InterruptedException {
        Queue<CallHandle> handles = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            String instance = "i-" + thread;
            threads.add(Thread.ofVirtual().start(() -> {
                for (int step = 0; step < 25; step++)
                    handles.add(client.call(call(instance, "call_0", "step-" + step)));
            }));
        }
        for (Thread thread : threads)
            thread.join();

        Set<String> answered = new HashSet<>();
        for (CallHandle handle : handles) {
            ToolResult result = get(handle.result());
            SentCall sent = get(handle.sent());
            assertThat(result.callOffset()).isEqualTo(sent.offset());
            answered.add(result.instanceKey() + result.stepId());
        }
        assertThat(answered).hasSize(8 * 25);
    }

    @Test
    void aPendingResultComesBeforeTheFinalOne() {
        fleet.onCall(call -> {
            fleet.answer(call.partition(), call.pending("h-1"));
            fleet.answer(call.partition(), call.ok());
        });
        CompletableFuture<String> heard = new CompletableFuture<>();

        CallHandle handle = client.call(call("i", "call_0", "step-1"));
        handle.onPending(pending -> heard.complete("pending " + pending.handle()));

        assertThat(get(handle.firstResult()).status()).isEqualTo(ResultStatus.PENDING);
        assertThat(get(handle.result()).status()).isEqualTo(ResultStatus.OK);
        // Listeners run on a thread of their own. The final result may be here before a late listener has got the
        // pending one.
        assertThat(get(heard)).isEqualTo("pending h-1");
    }

    @Test
    void aProducerWithAnotherPartitionerGetsItsResultsToo() {
        client.close();
        client = ToolFleetClient
                .open(fleet.config().with(Map.of("partitioner.class", Crc32Partitioner.class.getName())));

        for (int i = 0; i < 20; i++) {
            CallHandle handle = client.call(call("instance-" + i, "call_0", "step-1"));
            assertThat(get(handle.sent()).partition())
                    .isEqualTo(Crc32Partitioner.partition("instance-" + i, FakeFleet.PARTITIONS));
            get(handle.result());
        }
    }

    @Test
    void twoClientsGetOnlyTheirOwnResults() {
        Queue<FakeFleet.Received> held = new ConcurrentLinkedQueue<>();
        fleet.onCall(held::add);
        try (ToolFleetClient other = ToolFleetClient.open(fleet.config().named("other"))) {
            CallHandle mine = client.call(call("same", "call_0", "step-1"));
            get(mine.sent());
            CallHandle theirs = other.call(call("same", "call_0", "step-2"));
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> held.size() == 2);

            held.stream().filter(call -> "step-2".equals(call.call().stepId()))
                    .forEach(call -> fleet.answer(call.partition(), call.ok()));
            assertThat(get(theirs.result()).stepId()).isEqualTo("step-2");
            assertThat(mine.result().toCompletableFuture()).isNotDone();

            held.stream().filter(call -> "step-1".equals(call.call().stepId()))
                    .forEach(call -> fleet.answer(call.partition(), call.ok()));
            assertThat(get(mine.result()).stepId()).isEqualTo("step-1");
        }
    }

    @Test
    void aDuplicateCallGetsTheReplayedResult() {
        ToolCall call = call("i", "call_0", "step-1");
        get(client.call(call).result());
        fleet.onCall(duplicate -> fleet.answer(duplicate.partition(),
                Results.replayed(Results.ok(duplicate.call(), duplicate.record().offset() - 1))));

        assertThat(get(client.call(call).result()).replayed()).isTrue();
    }

    @Test
    void anAbortedResultIsNeverDelivered() {
        Map<String, Object> properties = kafka.producerProperties();
        properties.put("transactional.id", kafka.topic("worker"));
        try (var worker = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            worker.initTransactions();
            fleet.onCall(call -> {
                worker.beginTransaction();
                fleet.answer(worker, call.partition(), call.pending("aborted"));
                worker.abortTransaction();
                worker.beginTransaction();
                fleet.answer(worker, call.partition(), call.ok());
                worker.commitTransaction();
            });

            CallHandle handle = client.call(call("i", "call_0", "step-1"));

            assertThat(get(handle.firstResult()).status()).isEqualTo(ResultStatus.OK);
        }
    }

    @Test
    void aSubscriberHearsAllResultsOfItsInstanceAndASlowOneHoldsUpNobody() {
        CountDownLatch release = new CountDownLatch(1);
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        try (Subscription slow = client.subscribe("i", result -> await(release));
                Subscription quick = client.subscribe("i", result -> heard.add(result.toolCallId()))) {
            try (ToolFleetClient other = ToolFleetClient.open(fleet.config().named("other"))) {
                get(other.call(call("i", "call_0", "step-1")).result());
                get(other.call(call("another", "call_1", "step-1")).result());
            }
            get(client.call(call("i", "call_2", "step-1")).result());

            Awaitility.await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(heard).containsExactly("call_0", "call_2"));
            assertThat(slow).isNotSameAs(quick);
        } finally {
            release.countDown();
        }
    }

    @Test
    void aCallWithoutResultFailsAtItsTimeoutAndSaysWhereItIs() {
        fleet.onCall(call -> {});

        CallHandle handle = client.call(call("i", "call_0", "step-1"), CallOptions.within(Duration.ofSeconds(5)));

        assertThatThrownBy(() -> get(handle.result())).cause().isInstanceOf(ToolFleetClientException.class)
                .hasMessageContaining("call 'call_0' (bash__exec) of instance 'i' has no final result after PT5S")
                .hasMessageContaining(fleet.topics.name(Topic.CALL) + " partition ");
        Awaitility.await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(client.position().offsets()).isNotEmpty());
    }

    @Test
    void aPendingCallIsWaitedForBeyondTheFirstTimeout() {
        client.close();
        client = ToolFleetClient.open(fleet.config().waiting(Duration.ofSeconds(10), Duration.ofMinutes(1)));
        Queue<FakeFleet.Received> held = new ConcurrentLinkedQueue<>();
        fleet.onCall(call -> {
            fleet.answer(call.partition(), call.pending("h-1"));
            held.add(call);
        });

        CallHandle pending = client.call(call("i", "call_0", "step-1"));
        get(pending.firstResult());
        CallHandle unanswered = client.call(call("i", "call_1", "step-1"), CallOptions.within(Duration.ofSeconds(11)));

        assertThatThrownBy(() -> get(unanswered.result())).cause()
                .isInstanceOfSatisfying(ToolFleetClientException.class,
                        problem -> assertThat(problem.reason()).isEqualTo(Reason.TIMEOUT));
        assertThat(pending.result().toCompletableFuture()).isNotDone();
        held.forEach(call -> fleet.answer(call.partition(), call.ok()));
        assertThat(get(pending.result()).status()).isEqualTo(ResultStatus.OK);
    }

    @Test
    void recordsCarryEventHeadersAndTheTraceOfTheCall() {
        String trace = "0af7651916cd43dd8448eb211c80319c";
        ToolCall call = new ToolCall("call_0", "bash__exec", Json.MAPPER.createObjectNode(), "i", "coder", "t-1",
                "step-1", 0, trace, null, null, null, Instant.now().plusSeconds(60), null, null);

        get(client.call(call).result());

        var headers = fleet.received.element().record().headers();
        assertThat(KafkaHeaders.text(headers, "ce_type")).isEqualTo("dev.toolfleet.tool.call.v1");
        assertThat(KafkaHeaders.text(headers, "ce_source")).isEqualTo("/toolfleet/client/" + fleet.clientName());
        assertThat(KafkaHeaders.text(headers, "traceparent")).startsWith("00-" + trace + "-").endsWith("-01");
    }

    @Test
    void closingFailsWhatIsOpenAndEndsTheThreads() {
        fleet.onCall(call -> {});
        CallHandle open = client.call(call("i", "call_0", "step-1"));
        get(open.sent());

        long start = System.nanoTime();
        client.close(Duration.ofMinutes(1));

        assertThat(Duration.ofNanos(System.nanoTime() - start)).as("it waits for nobody")
                .isLessThan(Duration.ofMinutes(1));
        assertThatThrownBy(() -> get(open.result())).cause()
                .hasMessageContaining("client '" + fleet.clientName()
                        + "' was closed while call 'call_0' (bash__exec) of instance 'i'");
        Awaitility.await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
                        .noneMatch(name -> name.startsWith("toolfleet-client-" + fleet.clientName())));
        assertThatThrownBy(() -> client.call(call("i", "call_1", "step-1")))
                .hasMessage("client '" + fleet.clientName() + "' is closed");
    }

    @Test
    void anInstanceKeyThatIsTooLongIsRefusedAtOnce() {
        ToolCall call = call("x".repeat(ToolCall.MAX_INSTANCE_KEY + 1), "call_0", "step-1");

        assertThatThrownBy(() -> client.call(call)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("instanceKey has 1025 characters, at most 1024");
    }

    static ToolCall call(String instance, String id, String step) {
        return ToolCall.of(id, "bash__exec", Json.MAPPER.createObjectNode(), instance).inStep("coder", "t-1", step, 0);
    }

    static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
