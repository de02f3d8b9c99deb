package dev.toolfleet.worker.app;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.KafkaConfig;
import dev.toolfleet.config.Settings;
import dev.toolfleet.config.TopicsConfig;
import dev.toolfleet.http.HttpConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WorkerHttpTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @Test
    void aWorkerThatHasNotStartedIsAliveAndNotReadyAndHasMetrics() throws Exception {
        try (WorkerHttp http = WorkerHttp.open(config(Map.of("port", "0")).http().orElseThrow())) {
            http.start();

            assertThat(get(http, "/health/live").statusCode()).isEqualTo(200);
            assertThat(get(http, "/health/ready").statusCode()).isEqualTo(503);
            assertThat(get(http, "/health/ready").body()).contains("it has not started yet");
            assertThat(get(http, "/metrics").body()).contains("jvm_memory_used_bytes");
            assertThat(get(http, "/v1/nothing").body()).contains("/metrics");
        }
    }

    @Test
    void aTakenPortNamesTheSettingAndTheWayOut() {
        try (WorkerHttp first = WorkerHttp.open(config(Map.of("port", "0")).http().orElseThrow())) {
            String port = first.url().replaceFirst(".*:", "");
            HttpConfig taken = config(Map.of("port", port)).http().orElseThrow();

            assertThatThrownBy(() -> WorkerHttp.open(taken)).isInstanceOf(ConfigException.class)
                    .hasMessageContaining("worker.http.port " + port).hasMessageContaining("0 for a free one, or off");
        }
    }

    @Test
    void itAnswersThisMachineAloneUnlessATokenIsSet() {
        assertThat(config(Map.of()).http().orElseThrow()).isEqualTo(HttpConfig.of("worker.http", "127.0.0.1", "7071",
                "", "").orElseThrow());
        assertThat(config(Map.of("port", "off")).http()).isEmpty();
        assertThatThrownBy(() -> config(Map.of("address", "0.0.0.0"))).isInstanceOf(ConfigException.class)
                .hasMessageContaining("worker.http.address '0.0.0.0'")
                .hasMessageContaining("TOOLFLEET_WORKER_HTTP_TOKEN");
        assertThat(config(Map.of("address", "0.0.0.0", "token", "a-token-of-enough-length")).http()).isPresent();
    }

    private static WorkerConfig config(Map<String, String> http) {
        return WorkerConfig.of(KafkaConfig.at("unused:9092"), new TopicsConfig("", 1, TopicsConfig.BROKER_DEFAULT),
                Settings.of("worker", Map.of("http", http)), "w");
    }

    private static HttpResponse<String> get(WorkerHttp http, String path) throws Exception {
        return CLIENT.send(HttpRequest.newBuilder(URI.create(http.url() + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
