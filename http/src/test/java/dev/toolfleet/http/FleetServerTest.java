package dev.toolfleet.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;

import dev.toolfleet.json.Json;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FleetServerTest {
    private static final String TOKEN = "a-token-of-enough-length";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final FakeHealth health = new FakeHealth();
    private final FleetServer server = new FleetServer(config("0", TOKEN));

    private static final class FakeHealth implements Health {
        private volatile List<String> reasons = List.of();
        private volatile boolean alive = true;

        @Override
        public List<String> notReady() {
            return reasons;
        }

        @Override
        public boolean isAlive() {
            return alive;
        }
    }

    FleetServerTest() {
        Route echo = routes -> Route.read(routes, "/v1/echo/{word}",
                ctx -> Answers.validated(ctx, Json.MAPPER.createObjectNode().put("word", ctx.pathParam("word"))));
        server.start(List.of(echo, new HealthRoute("oven", health), new MetricsRoute(meters::scrape)),
                "There is /v1/echo/{word}.", meters);
    }

    private static HttpConfig config(String port, String token) {
        return HttpConfig.of("oven.http", "127.0.0.1", port, token, "").orElseThrow();
    }

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/echo/a", "/metrics", "/nothing"})
    void withoutTheTokenNothingIsTold(String path) {
        HttpResponse<String> answer = send("GET", path);

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(detail(answer)).contains("oven.http.token");
    }

    @Test
    void aRequestThatIsSignedByTheTokenIsAnsweredAndDoesNotHoldIt() {
        BearerToken token = new BearerToken("oven.http.token", TOKEN);
        URI uri = URI.create("http://" + server.reachedAt() + "/v1/echo/a%2Fb%20c");
        String signed = token.signed(uri, Instant.now());

        assertThat(signed).doesNotContain(TOKEN);
        assertThat(send("GET", "/v1/echo/a%2Fb%20c", "Authorization", signed).statusCode()).isEqualTo(200);
        assertThat(send("GET", "/v1/echo/b", "Authorization", signed).statusCode()).as("for its path alone")
                .isEqualTo(401);
        assertThat(send("GET", "/v1/echo/a%2Fb%20c?x=1", "Authorization", signed).statusCode()).isEqualTo(401);
        assertThat(send("POST", "/v1/echo/a%2Fb%20c", "Authorization", signed).statusCode()).isEqualTo(401);
        for (Instant then : List.of(Instant.now().minusSeconds(400), Instant.now().plusSeconds(400))) {
            assertThat(send("GET", "/v1/echo/a%2Fb%20c", "Authorization", token.signed(uri, then)).statusCode())
                    .isEqualTo(401);
        }
        String other = new BearerToken("oven.http.token", TOKEN + "x").signed(uri, Instant.now());
        for (String wrong : List.of(other, "Toolfleet-Hmac ", "Toolfleet-Hmac .", "Toolfleet-Hmac x.y",
                signed.substring(0, signed.length() - 1), signed.replace('.', ' ')))
            assertThat(send("GET", "/v1/echo/a%2Fb%20c", "Authorization", wrong).statusCode()).as(wrong)
                    .isEqualTo(401);
    }

    @Test
    void healthNeedsNoTokenAndNamesWhatIsNotReady() {
        assertThat(send("GET", "/health/ready").statusCode()).isEqualTo(200);

        health.reasons = List.of("it is cold", "it is empty");
        HttpResponse<String> answer = send("GET", "/health/ready");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(detail(answer)).isEqualTo("The oven is not ready: it is cold; it is empty.");
        assertThat(send("GET", "/health/live").statusCode()).isEqualTo(200);
        health.alive = false;
        assertThat(send("GET", "/health/live").statusCode()).isEqualTo(503);
    }

    @Test
    void aRouteAnswersAndIsMeasuredWithoutWhatWasAsked() {
        HttpResponse<String> answer = authorized("/v1/echo/word-1");
        String tag = answer.headers().firstValue("ETag").orElseThrow();

        assertThat(answer.body()).isEqualTo("{\"word\":\"word-1\"}");
        assertThat(send("GET", "/v1/echo/word-1", "Authorization", "Bearer " + TOKEN, "If-None-Match", tag)
                .statusCode()).isEqualTo(304);
        assertThat(authorized("/metrics").body())
                .contains("toolfleet_http_requests_seconds_count{route=\"/v1/echo/{word}\",status=\"200\"} 1")
                .doesNotContain("word-1");
    }

    @Test
    void anUnknownPathIsToldWhatThereIs() {
        HttpResponse<String> answer = authorized("/v2/echo");

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(detail(answer)).contains("'/v2/echo'").contains("There is /v1/echo/{word}.");
    }

    @Test
    void nothingCanBeWritten() {
        assertThat(send("POST", "/v1/echo/a", "Authorization", "Bearer " + TOKEN).statusCode()).isEqualTo(405);
    }

    @Test
    void aPortThatIsTakenIsAnErrorThatNamesTheSetting() {
        String taken = Integer.toString(server.reachedAt().port());

        assertThatThrownBy(() -> new FleetServer(config(taken, ""))).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("oven.http.port " + taken).hasMessageContaining("0 for a free one")
                .hasMessageNotContaining("\n");
    }

    private HttpResponse<String> authorized(String path) {
        return send("GET", path, "Authorization", "Bearer " + TOKEN);
    }

    private HttpResponse<String> send(String method, String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + server.reachedAt() + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0)
            request.headers(headers);
        try {
            return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static String detail(HttpResponse<String> answer) {
        JsonNode problem = Json.MAPPER.readTree(answer.body());
        assertThat(answer.headers().firstValue("Content-Type")).hasValue(Problem.CONTENT_TYPE);
        return problem.path("detail").asString();
    }
}
