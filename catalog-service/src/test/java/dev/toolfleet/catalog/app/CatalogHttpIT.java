package dev.toolfleet.catalog.app;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.catalog.app.CatalogService.CatalogStartException;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.json.Json;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

@EmbeddedKafkaTest
class CatalogHttpIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    @SuppressWarnings("NullAway.Init")
    private Fleet fleet;
    @SuppressWarnings("NullAway.Init")
    private Bundles bundles;

    @BeforeEach
    void create(KafkaFixture kafka) {
        fleet = new Fleet(kafka);
        bundles = fleet.bundles().apply("acme", tool("a", "z"), agent("coder", "Tool/a"));
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    @Test
    void whicheverServiceIsAskedTheOwnerAnswers() {
        try (CatalogService one = start("one"); CatalogService two = start("two")) {
            List<String> keys = new ArrayList<>();
            for (int partition = 0; partition < Fleet.PARTITIONS; partition++) {
                keys.add("tenant/ü " + partition);
                // The key does not determine the partition: its producer chose it.
                fleet.announce(partition, keys.getLast(), "coder", "s1");
            }
            // The second of two rebalances takes both out of their work for a moment.
            Awaitility.await().atMost(PATIENCE)
                    .until(() -> keys.stream().filter(key -> get(url(one, key)).statusCode() == 307)
                            .count() == Fleet.PARTITIONS / 2 && one.notReady().isEmpty() && two.notReady().isEmpty());
            int sentOn = 0;
            for (String key : keys) {
                HttpResponse<String> first = awaitAnswer(one, key);
                HttpResponse<String> second = awaitAnswer(two, key);
                assertThat(List.of(first.statusCode(), second.statusCode())).containsExactlyInAnyOrder(200, 307);

                HttpResponse<String> owner = first.statusCode() == 200 ? first : second;
                HttpResponse<String> other = first.statusCode() == 307 ? first : second;
                sentOn += first.statusCode() == 307 ? 1 : 0;
                HttpResponse<String> followed = get(other.headers().firstValue("Location").orElseThrow());
                assertThat(followed.statusCode()).isEqualTo(200);
                assertThat(followed.body()).isEqualTo(owner.body());
                assertThat(Json.MAPPER.readTree(owner.body()).at("/tools/0/function/name").asString())
                        .isEqualTo("a__z");

                String tag = owner.headers().firstValue("ETag").orElseThrow();
                assertThat(get(owner.uri().toString(), "If-None-Match", tag).statusCode()).isEqualTo(304);
            }
            assertThat(sentOn).isBetween(1, Fleet.PARTITIONS - 1);
            awaitStatus(url(one, "nobody"), 404);
            awaitStatus(url(two, "nobody"), 404);
        }
    }

    @Test
    void whatOneServiceWroteTheOtherAnswersAfterATakeOver() {
        CatalogService one = start("one");
        String tag;
        try (CatalogService two = start("two")) {
            for (int partition = 0; partition < Fleet.PARTITIONS; partition++)
                fleet.announce(partition, "i" + partition, "coder", "s1");
            tag = awaitAnswer(one, "i0").headers().firstValue("ETag").orElse("");
            one.close();
            for (int partition = 0; partition < Fleet.PARTITIONS; partition++) {
                HttpResponse<String> answer = awaitStatus(url(two, "i" + partition), 200);
                assertThat(answer.headers().firstValue("Toolfleet-Step-Id")).hasValue("s1");
                if (!tag.isEmpty())
                    assertThat(answer.headers().firstValue("ETag")).hasValue(tag);
            }
        } finally {
            one.close();
        }
    }

    @Test
    void aRestartInItsFolderKeepsStepsAndContentsAndAKeyHasOneNewestStep() {
        try (CatalogService first = start("one")) {
            fleet.announce(0, "x/y", "coder", "s1");
            awaitStatus(url(first, "x/y"), 200);
        }
        try (CatalogService again = start("one")) {
            assertThat(awaitStatus(url(again, "x/y"), 200).body()).contains("a__z");
            // instanceKey x and agent y/coder would have the same key.
            awaitStatus(again.url().orElseThrow() + "/v1/instances/x/agents/y%2Fcoder/catalog", 404);

            // Its producer changes the partition, and changes it back.
            for (int step = 2; step <= 4; step++) {
                String id = "s" + step;
                fleet.announce(step % 2, "x/y", "coder", id);
                Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                        get(url(again, "x/y")).headers().firstValue("Toolfleet-Step-Id")).hasValue(id));
            }
        }
    }

    @Test
    void aRevisionAndAStepShowAndReadinessFollowsTheService() {
        CatalogService service = start("one");
        try (service) {
            String url = service.url().orElseThrow();
            awaitStatus(url + "/health/ready", 200);
            assertThat(awaitStatus(url + "/v1/agents/coder", 200).body()).contains("a__z");
            assertThat(get(url + "/v1/resources?source=config").body()).contains("acme/Tool/a");

            fleet.announce(1, "i", "coder", "s1");
            HttpResponse<String> before = awaitStatus(url(service, "i"), 200);
            bundles.apply("acme", tool("b", "y"), agent("coder", "Tool/b"));
            Awaitility.await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(get(url + "/v1/agents/coder").body()).contains("b__y"));
            assertThat(awaitStatus(url(service, "i"), 200).body()).isEqualTo(before.body());

            // Steps are answered by the loaded resources, which the service loads next.
            AtomicInteger count = new AtomicInteger(1);
            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
                fleet.announce(1, "i", "coder", "s" + count.incrementAndGet());
                assertThat(get(url(service, "i")).body()).contains("b__y");
            });

            assertThat(get(url + "/metrics").body()).contains("toolfleet_catalog_ready 1.0",
                    "toolfleet_catalog_faults_total 0.0", "kafka_stream_task_process_total",
                    "jvm_memory_used_bytes").doesNotContain("kafka_stream_state_");
        }
        assertThat(service.notReady()).containsExactly("it has stopped");
    }

    @Test
    void aPortThatAnotherServiceHoldsIsRefusedByName() {
        try (CatalogService service = start("one")) {
            int port = URI.create(service.url().orElseThrow()).getPort();
            assertThat(catchThrowable(
                    () -> fleet.service(folder.resolve("two"),
                            HttpConfig.of("catalog.http", "127.0.0.1", "" + port, "", ""))))
                    .isInstanceOf(CatalogStartException.class).hasMessageContaining("catalog.http.port " + port);
        }
    }

    private CatalogService start(String name) {
        CatalogService service = fleet.service(folder.resolve(name),
                HttpConfig.of("catalog.http", "127.0.0.1", "0", "", ""));
        service.start();
        return service;
    }

    /// Waits until a service can answer: partitions have moved, and the step has been answered.
    private static HttpResponse<String> awaitAnswer(CatalogService service, String key) {
        return Awaitility.await().atMost(PATIENCE).until(() -> get(url(service, key)),
                answer -> answer.statusCode() == 200 || answer.statusCode() == 307);
    }

    private static HttpResponse<String> awaitStatus(String url, int status) {
        return Awaitility.await().atMost(PATIENCE).until(() -> get(url), answer -> answer.statusCode() == status);
    }

    private static String url(CatalogService service, String key) {
        return service.url().orElseThrow() + "/v1/instances/"
                + URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20")
                + "/agents/coder/catalog?format=openai";
    }

    private static HttpResponse<String> get(String url, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        if (headers.length > 0)
            request.headers(headers);
        try {
            return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(url, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
