package dev.toolfleet.worker.fleet;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.app.Worker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// The HTTP answers of a worker's process follow the worker.
@EmbeddedKafkaTest
class ServedWorkerIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    @Test
    void healthAndMetricsFollowTheWorker(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1).with("http.port", "0")) {
            fleet.announce("i", "s1");
            String url;
            try (Worker worker = Worker.serve(TestFleet.config(kafka.bootstrapServers(), fleet.topics.prefix(), folder,
                    "w1", fleet.workerSettings()))) {
                url = worker.url().orElseThrow();
                assertThat(worker.awaitReady(SOON)).isTrue();
                await().atMost(SOON).until(() -> get(url + "/health/ready").statusCode() == 200);

                fleet.send(call("c1", "t__echo", "i", Map.of("n", 1)));
                assertThat(fleet.results(1)).hasSize(1);
                await().atMost(SOON).until(() -> get(url + "/metrics").body().contains(
                        "toolfleet_calls_completed_total{code=\"none\",status=\"ok\",tool=\"test/t__echo\"} 1.0"));
                await().atMost(SOON).untilAsserted(
                        () -> assertThat(get(url + "/metrics").body()).contains("toolfleet_worker_ready 1.0",
                                "toolfleet_http_requests_seconds_count{route=\"/health/ready\",status=\"200\"}",
                                "jvm_memory_used_bytes"));

                whatCannotBeCommittedMakesItUnready(kafka, fleet, url);
            }
            assertThat(refuses(url)).as("the port is given back").isTrue();
        }
    }

    private static void whatCannotBeCommittedMakesItUnready(KafkaFixture kafka, TestFleet fleet, String url)
            throws Exception {
        String gone = fleet.topics.name(Topic.DEAD_LETTER);
        kafka.admin().deleteTopics(List.of(gone)).all().get();
        // Acknowledged before the broker has done it.
        await().atMost(SOON).until(() -> !kafka.admin().listTopics().names().get().contains(gone));
        fleet.send(Topic.CALL, 0, "i", "no call at all".getBytes(StandardCharsets.UTF_8));
        await().atMost(SOON).untilAsserted(() -> {
            HttpResponse<String> answer = get(url + "/health/ready");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("sits out, because its records cannot be written");
        });
        assertThat(get(url + "/health/live").statusCode()).isEqualTo(200);
        assertThat(get(url + "/metrics").body()).contains("toolfleet_worker_ready 0.0",
                "toolfleet_partitions_held{reason=\"quarantined\"} 1.0");

        new FleetTopics(fleet.topics, Map.of("bootstrap.servers", kafka.bootstrapServers()), Duration.ofMinutes(1))
                .create(OptionalInt.of(1), OptionalInt.of(1));
        await().atMost(SOON).until(() -> get(url + "/health/ready").statusCode() == 200);
    }

    private static boolean refuses(String url) throws InterruptedException {
        try {
            CLIENT.send(HttpRequest.newBuilder(URI.create(url + "/health/live")).build(),
                    HttpResponse.BodyHandlers.discarding());
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return CLIENT.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }
}
