package dev.toolfleet.gateway.app;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.gateway.rest.TestGateway;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

/// Two gateways and a broker: every request is answered by either, and no call is made twice.
@EmbeddedKafkaTest
class ClientFleetIT {
    private static final String CALL = "{\"name\":\"t__write\",\"args\":{\"n\":1}}";
    private static final String KEY = "Idempotency-Key";

    @SuppressWarnings("NullAway.Init")
    private FakeWorker worker;
    @SuppressWarnings("NullAway.Init")
    private ClientFleet one;
    @SuppressWarnings("NullAway.Init")
    private ClientFleet two;
    @SuppressWarnings("NullAway.Init")
    private TestGateway first;
    @SuppressWarnings("NullAway.Init")
    private TestGateway second;

    @BeforeEach
    void start(KafkaFixture kafka) {
        worker = new FakeWorker(kafka);
        ClientConfig config = ClientConfig.of(kafka.bootstrapServers()).on(worker.topics)
                .waitingForBroker(Duration.ofSeconds(30));
        one = new ClientFleet(config.named("g1"));
        two = new ClientFleet(config.named("g2"));
        first = new TestGateway(one, worker.calls);
        second = new TestGateway(two, worker.calls);
    }

    @AfterEach
    void stop() throws Exception {
        first.close();
        second.close();
        one.close();
        two.close();
        worker.close();
    }

    private static String path(String instance) {
        return "/v1/instances/" + instance + "/agents/coder/calls";
    }

    @Test
    void aCallIsAnsweredByItsOwnResultAndShownByTheOtherGateway() {
        HttpResponse<String> answer = first.post(path("a%2Fb"), CALL);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(json(answer).path("instanceKey").asString()).isEqualTo("a/b");
        String location = answer.headers().firstValue("Location").orElseThrow();
        assertThat(json(second.get(location)).path("result")).isEqualTo(json(answer));
    }

    @Test
    void retriesAtBothGatewaysAreOneCall() {
        List<CompletableFuture<HttpResponse<String>>> retries = IntStream.range(0, 20)
                .mapToObj(n -> CompletableFuture.supplyAsync(
                        () -> (n % 2 == 0 ? first : second).post(path("i" + n % 5), CALL, KEY, "order-" + n % 5),
                        task -> Thread.ofVirtual().start(task)))
                .toList();

        assertThat(retries).allSatisfy(retry -> {
            assertThat(retry.join().statusCode()).as(retry.join().body()).isEqualTo(200);
            assertThat(json(retry.join()).path("output").asString()).isEqualTo("done");
        });
        assertThat(worker.run).hasSize(5).extracting(ToolCall::idempotencyKey).doesNotHaveDuplicates();
    }

    @Test
    void otherArgumentsUnderAKeyAreRefusedByBoth() {
        first.post(path("i"), CALL, KEY, "k");

        for (TestGateway gateway : List.of(first, second))
            assertThat(gateway.post(path("i"), "{\"name\":\"t__write\",\"args\":{\"n\":2}}", KEY, "k").statusCode())
                    .isEqualTo(422);
        assertThat(worker.run).hasSize(1);
    }

    @Test
    void aPendingCallIsAnsweredWithItsHandle() {
        worker.answering(_ -> ResultStatus.PENDING);

        HttpResponse<String> answer = first.post(path("i"), CALL, KEY, "k", "Prefer", "wait=60");
        HttpResponse<String> again = second.post(path("i"), CALL, KEY, "k", "Prefer", "wait=60");

        assertThat(List.of(answer.statusCode(), again.statusCode())).containsOnly(202);
        assertThat(json(answer).path("handle").asString()).isEqualTo("h-1");
        assertThat(again.headers().firstValue("Location")).isEqualTo(answer.headers().firstValue("Location"));
    }

    @Test
    void aCancellationAndTheEndOfAStepAreWritten() {
        worker.answering(_ -> ResultStatus.PENDING);
        HttpResponse<String> answer = first.post(path("i"), CALL);

        assertThat(second.post(answer.headers().firstValue("Location").orElseThrow() + "/cancel", "{}").statusCode())
                .isEqualTo(202);
        assertThat(first.post("/v1/instances/i/agents/coder/steps/t/s/end", "{}").statusCode()).isEqualTo(202);
        assertThat(first.post("/v1/handles/h-9/completions", "{\"kind\":\"completed\"}").statusCode())
                .as("looked up, and unknown").isEqualTo(404);
    }
}
