package dev.toolfleet.catalog.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.toolfleet.http.HostPort;
import dev.toolfleet.http.HttpConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

import static dev.toolfleet.catalog.http.CatalogRouteTest.assertProblem;
import static dev.toolfleet.catalog.http.CatalogRouteTest.item;
import static dev.toolfleet.catalog.http.FakeService.json;
import static dev.toolfleet.catalog.http.FakeService.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class CatalogServerTest {
    private final FakeService service = new FakeService(FakeService.TOKEN).has("i", "coder", item());
    private final String[] bearer = {"Authorization", "Bearer " + FakeService.TOKEN};

    @AfterEach
    void close() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/instances/i/agents/coder/catalog", "/v1/resources", "/v1/agents", "/v1/agents/coder",
            "/metrics", "/nothing", "/health/ready/x"})
    void withoutTheTokenNothingIsTold(String path) {
        HttpResponse<String> answer = service.get(path);
        assertProblem(answer, 401, "unauthorized", "catalog.http.token");
        assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Bearer realm=\"toolfleet\"");
        assertThat(service.finds).hasValue(0);

        for (String wrong : new String[]{"Bearer " + FakeService.TOKEN + "x", "Bearer ", "Basic " + FakeService.TOKEN,
                FakeService.TOKEN}) {
            HttpResponse<String> refused = service.get(path, "Authorization", wrong);
            assertProblem(refused, 401, "unauthorized");
            assertThat(refused.headers().firstValue("WWW-Authenticate").orElseThrow()).contains("invalid_token");
            assertThat(refused.body()).doesNotContain(FakeService.TOKEN);
        }
    }

    @Test
    void withTheTokenItIs() {
        assertThat(service.get(path("i", "coder"), bearer).statusCode()).isEqualTo(200);
        assertThat(service.get(path("i", "coder"), "Authorization", "bearer " + FakeService.TOKEN).statusCode())
                .isEqualTo(200);
    }

    @Test
    void healthNeedsNoToken() {
        assertThat(json(service.get("/health/live")).path("status").asString()).isEqualTo("live");
        assertThat(json(service.get("/health/ready")).path("status").asString()).isEqualTo("ready");

        service.reasons = List.of("its partitions are being assigned");
        HttpResponse<String> notReady = service.get("/health/ready");
        assertProblem(notReady, 503, "not-ready", "being assigned");
        assertThat(json(notReady).path("reasons").path(0).asString()).isEqualTo("its partitions are being assigned");
        assertThat(service.get("/health/live").statusCode()).isEqualTo(200);

        service.alive = false;
        assertThat(service.get("/health/live").statusCode()).isEqualTo(503);
    }

    @Test
    void requestsAreCountedByRouteAndStatusWithoutWhatTheyNamed() {
        service.get(path("secret-instance", "coder"), bearer);
        service.get("/nothing", bearer);

        HttpResponse<String> metrics = service.get("/metrics", bearer);
        assertThat(metrics.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain");
        assertThat(metrics.body()).doesNotContain("secret-instance").containsPattern(
                "toolfleet_http_requests_seconds_count\\{route=\"/v1/instances/\\{instanceKey}/agents/\\{agent}/catalog\","
                        + "status=\"404\"} 1")
                .contains("route=\"none\",status=\"404\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
    void nothingCanBeWritten(String method) {
        HttpResponse<String> answer = service.send(method, path("i", "coder"), bearer);

        assertProblem(answer, 405, "method-not-allowed", method);
        assertThat(answer.headers().firstValue("Allow")).hasValue("GET, HEAD");
    }

    @Test
    void anUnknownPathIsToldWhichThereAre() {
        assertProblem(service.get("/v2/agents", bearer), 404, "no-such-route", "'/v2/agents'", "/v1/agents", "%2F");
    }

    @Test
    void aFaultTellsNothingOfItsInside() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.toolfleet.http.Problems");
        logger.addAppender(log);
        service.broken = "internal detail";

        HttpResponse<String> answer = service.get(path("i", "coder"), bearer);

        logger.detachAppender(log);
        assertProblem(answer, 500, "internal");
        assertThat(answer.body()).doesNotContain("internal detail", "UnsupportedOperation", "dev.toolfleet.");
        assertThat(log.list).singleElement().satisfies(event -> {
            assertThat(event.getThrowableProxy()).isNull();
            assertThat(event.getKeyValuePairs().toString()).contains("UnsupportedOperationException", "FakeService")
                    .doesNotContain("internal detail", FakeService.TOKEN);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/agents/%zz", "/v1/agents/%00", "/v1/agents/ü"})
    void whatCannotBeReadIsAProblemDocumentToo(String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.address().port())) {
            socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                    + "Authorization: Bearer " + FakeService.TOKEN + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(answer).contains("application/problem+json", "urn:toolfleet:problem:", "\"detail\"")
                    .doesNotContain("<html", "Jetty", "\tat ");
            assertThat(answer.substring(0, 12)).isIn("HTTP/1.1 400", "HTTP/1.1 404");
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        HttpConfig taken = HttpConfig
                .of("catalog.http", "127.0.0.1", Integer.toString(service.address().port()), "", "")
                .orElseThrow();

        assertThatThrownBy(() -> new CatalogServer(taken)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("catalog.http.port " + service.address().port()).hasMessageNotContaining("\n");
    }

    @Test
    void aClosedServerHasGivenItsPortBack() {
        FakeService first = new FakeService();
        first.close();
        first.close();

        assertGivenBack(first.address());
    }

    @Test
    void aThreadThatWasInterruptedClosesItWholly() {
        FakeService first = new FakeService();
        Thread.currentThread().interrupt();
        first.close();

        assertThat(Thread.interrupted()).isTrue();
        assertGivenBack(first.address());
    }

    /// Another process may have the port for a moment: the system hands out free ones.
    private static void assertGivenBack(HostPort address) {
        HttpConfig config = HttpConfig.of("catalog.http", "127.0.0.1", Integer.toString(address.port()), "", "")
                .orElseThrow();
        await().atMost(Duration.ofSeconds(60)).ignoreException(IllegalStateException.class).untilAsserted(() -> {
            try (CatalogServer second = new CatalogServer(config)) {
                assertThat(second.reachedAt()).isEqualTo(address);
            }
        });
    }

    @Test
    void resourcesAndAgentsWaitUntilTheTopicHasBeenRead() {
        service.tableRead = false;

        assertProblem(service.get("/v1/resources", bearer), 503, "not-ready");
        assertProblem(service.get("/v1/agents", bearer), 503, "not-ready");
        JsonNode problem = json(service.get("/v1/agents/coder", bearer));
        assertThat(problem.path("status").asInt()).isEqualTo(503);
    }
}
