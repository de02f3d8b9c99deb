package dev.toolfleet.gateway.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import com.standardwebhooks.Webhook;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.json.Json;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// Results reach a receiver that fails, although a gateway is killed in between.
@EmbeddedKafkaTest
class WebhookIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int FAILURES = 5;
    private static final int CALLS = 12;
    private static final int OK = 204;
    private static final int BROKEN = 503;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> attempts = new ConcurrentHashMap<>();
    private volatile int failures;
    private volatile Consumer<Arrival> taken = _ -> {};
    @SuppressWarnings("NullAway.Init")
    private HttpServer receiver;

    /// Request at the receiver, with its signature checked.
    record Arrival(String id, String callId, JsonNode result, boolean accepted) {}

    @BeforeEach
    void listen() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        receiver.createContext("/hook", this::receive);
        receiver.start();
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
        client.shutdownNow();
    }

    private void receive(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        int answer = 400;
        try {
            new Webhook(GatewayProcess.SECRET).verify(body,
                    HttpHeaders.of(exchange.getRequestHeaders(), (_, _) -> true));
            String id = exchange.getRequestHeaders().getFirst("webhook-id");
            boolean accepted = attempts.merge(id, 1, Integer::sum) > failures;
            Arrival arrival = new Arrival(id, exchange.getRequestHeaders().getFirst("toolfleet-call-id"),
                    Json.MAPPER.readTree(body), accepted);
            arrivals.add(arrival);
            taken.accept(arrival);
            answer = accepted ? OK : BROKEN;
        } catch (Exception e) {
            // Answered with 400: the test does not find the arrival.
        }
        exchange.sendResponseHeaders(answer, -1);
        exchange.close();
    }

    private String call(String url, String instance, String key) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(HttpRequest.newBuilder(URI.create(url + "/v1/instances/" + instance
                + "/agents/coder/calls")).header("Content-Type", "application/json")
                .header("Idempotency-Key", key).header("Prefer", "respond-async")
                .POST(BodyPublishers.ofString("{\"name\":\"t__write\",\"args\":{\"n\":1},\"callback\":{\"url\":"
                        + "\"http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook\","
                        + "\"secret\":\"orders\"}}"))
                .build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        return answer.headers().firstValue("Toolfleet-Call-Id").orElseThrow();
    }

    @Test
    void everyResultArrivesUnderOneIdAlthoughTheReceiverFailsAndAGatewayIsKilled(KafkaFixture kafka) throws Exception {
        failures = FAILURES;
        try (FakeWorker worker = new FakeWorker(kafka);
                GatewayService survivor = GatewayProcess.service(kafka.bootstrapServers(), worker.topics,
                        folder.resolve("survivor"))) {
            survivor.start();
            List<String> calls;
            try (ChildJvm killed = GatewayProcess.launch(kafka.bootstrapServers(), worker.topics,
                    folder.resolve("killed"))) {
                killed.awaitReady(Duration.ofSeconds(90));
                calls = new ArrayList<>();
                for (int n = 0; n < CALLS; n++)
                    calls.add(call(survivor.url(), "i" + n, "k"));
                Awaitility.await().atMost(PATIENCE).until(() -> attempts.size() == CALLS);
                killed.kill();
            }

            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertThat(arrivals.stream()
                    .filter(Arrival::accepted).map(Arrival::callId).distinct()).containsExactlyInAnyOrderElementsOf(
                            calls));
            Map<String, List<Arrival>> byCall = arrivals.stream().collect(Collectors.groupingBy(Arrival::callId));
            assertThat(byCall.values()).allSatisfy(its -> {
                assertThat(its).hasSizeGreaterThan(FAILURES).extracting(Arrival::id).containsOnly(its.get(0).id());
                assertThat(its).extracting(Arrival::result).containsOnly(its.get(0).result());
            });
            assertThat(attempts).as("ids").hasSize(CALLS);
            assertThat(arrivals).extracting(arrival -> arrival.result().path("status").asString()).containsOnly("ok");
            assertThat(worker.run).hasSize(CALLS);
            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertThat(metric(survivor.url(),
                    "toolfleet_gateway_webhooks_pending")).isEqualTo("0.0"));
        }
    }

    /// The gateway dies before the last of the first calls' results is answered. The others were answered, and their
    /// outcomes are committed or not.
    @Test
    void aResultWhoseGatewayDiesBetweenPostAndCommitArrivesTwiceAtMostAndNeverNot(KafkaFixture kafka) throws Exception {
        try (FakeWorker worker = new FakeWorker(kafka)) {
            CompletableFuture<Arrival> last = new CompletableFuture<>();
            List<String> calls = new ArrayList<>();
            try (ChildJvm killed = GatewayProcess.launch(kafka.bootstrapServers(), worker.topics,
                    folder.resolve("killed"))) {
                String url = killed.awaitReady(Duration.ofSeconds(90));
                taken = arrival -> {
                    if (attempts.size() == CALLS && last.complete(arrival))
                        killed.kill();
                };
                for (int n = 0; n < CALLS; n++)
                    calls.add(call(url, "i" + n, "before"));
                Awaitility.await().atMost(PATIENCE).until(last::isDone);
            }
            String twice = last.join().id();
            try (GatewayService survivor = GatewayProcess.service(kafka.bootstrapServers(), worker.topics,
                    folder.resolve("survivor"))) {
                survivor.start();
                Awaitility.await().atMost(PATIENCE).until(() -> attempts.getOrDefault(twice, 0) == 2);
                // A partition's results are read in order. Behind these, no delivery of an earlier one can be opened.
                for (int n = 0; n < CALLS; n++)
                    calls.add(call(survivor.url(), "i" + n, "after"));
                Awaitility.await().atMost(PATIENCE).until(() -> attempts.size() == 2 * CALLS
                        && metric(survivor.url(), "toolfleet_gateway_webhooks_pending").equals("0.0"));
            }

            assertThat(arrivals).extracting(Arrival::callId).containsOnly(calls.toArray(String[]::new));
            assertThat(attempts.values()).allMatch(count -> count <= 2);
            assertThat(attempts).containsEntry(twice, 2);
            assertThat(worker.run).hasSize(2 * CALLS);
        }
    }

    private String metric(String url, String name) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url + "/metrics")).build(), BodyHandlers.ofString()).body()
                .lines().filter(line -> line.startsWith(name + " ")).map(line -> line.substring(name.length() + 1))
                .findFirst().orElse("");
    }
}
