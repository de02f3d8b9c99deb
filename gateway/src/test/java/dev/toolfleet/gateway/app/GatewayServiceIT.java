package dev.toolfleet.gateway.app;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.gateway.access.AccessConfig;
import dev.toolfleet.gateway.readers.ServiceAddresses;
import dev.toolfleet.gateway.readmodel.ReadModelConfig;
import dev.toolfleet.gateway.webhook.WebhookConfig;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.BundleTrust;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// Two whole gateways of one group: any of them answers about every call.
@EmbeddedKafkaTest
class GatewayServiceIT {
    private static final String CALL = "{\"name\":\"t__write\",\"args\":{\"n\":1}}";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    private final HttpClient client = HttpClient.newHttpClient();

    private GatewayConfig config(KafkaFixture kafka, FakeWorker worker, String name) {
        ReadModelConfig readModel = new ReadModelConfig("g", worker.topics,
                Map.of("bootstrap.servers", kafka.bootstrapServers()), folder.resolve(name),
                ReadModelConfig.DEFAULT_RETENTION, 1, 0);
        return new GatewayConfig(readModel, http(GatewayConfig.SECTION), http(GatewayConfig.INTERNAL_SECTION),
                AccessConfig.LOCAL, BundleTrust.ALL, WebhookConfig.NONE, ServiceAddresses.NONE);
    }

    private static HttpConfig http(String section) {
        return new HttpConfig(section, "127.0.0.1", 0, Optional.empty(), Optional.empty());
    }

    private HttpResponse<String> post(GatewayService gateway, String instance, String body, String key)
            throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(gateway.url() + "/v1/instances/" + instance
                + "/agents/coder/calls")).header("Content-Type", "application/json").header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(GatewayService gateway, String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(gateway.url() + path)).build(), BodyHandlers.ofString());
    }

    @Test
    void everyGatewayAnswersAboutEveryCall(KafkaFixture kafka) throws Exception {
        try (FakeWorker worker = new FakeWorker(kafka);
                GatewayService one = new GatewayService(config(kafka, worker, "one"));
                GatewayService two = new GatewayService(config(kafka, worker, "two"))) {
            one.start();
            two.start();
            for (int n = 0; n < 12; n++) {
                HttpResponse<String> answer = post(n % 2 == 0 ? one : two, "i" + n, CALL, "k");
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                JsonNode result = Json.MAPPER.readTree(answer.body());
                String location = answer.headers().firstValue("Location").orElseThrow();
                for (GatewayService gateway : List.of(one, two)) {
                    HttpResponse<String> again = post(gateway, "i" + n, CALL, "k");
                    assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
                    JsonNode repeated = Json.MAPPER.readTree(again.body());
                    assertThat(repeated.path("output")).isEqualTo(result.path("output"));
                    JsonNode view = Json.MAPPER.readTree(get(gateway, location).body());
                    assertThat(view.path("call").path("instanceKey").asString()).isEqualTo("i" + n);
                    String events = get(gateway, location + "/events").body();
                    assertThat(events).contains("event: accepted\n", "event: result\n");
                }
                assertThat(post(two, "i" + n, "{\"name\":\"t__other\"}", "k").statusCode()).isEqualTo(422);
            }
            assertThat(worker.run).hasSize(12);
            assertThat(get(one, "/health/ready").statusCode()).isEqualTo(200);
            assertThat(get(one, "/metrics").body()).contains("toolfleet_gateway_ready 1.0",
                    "toolfleet_gateway_streams 0.0", "toolfleet_http_requests_seconds_count");
        }
    }
}
