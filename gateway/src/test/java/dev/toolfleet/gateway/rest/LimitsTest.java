package dev.toolfleet.gateway.rest;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

import dev.toolfleet.gateway.access.AccessConfig;
import dev.toolfleet.gateway.access.Principals;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.limits.LimitConfig;
import dev.toolfleet.gateway.webhook.WebhookConfig;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.gateway.rest.TestGateway.header;
import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

/// Limits of principals and of the gateway, over HTTP.
class LimitsTest {
    private static final String PATH = "/v1/instances/i/agents/coder/calls";
    private static final String CALL = "{\"name\":\"n\",\"turnId\":\"t\",\"stepId\":\"s\",\"id\":\"c\"}";

    private final MemoryFleet fleet = new MemoryFleet();

    private TestGateway gateway(LimitConfig limits) {
        Map<String, String> settings = Map.of("a.tokenHash", TestGateway.hash("t"), "a.scopes", "tools:call",
                "b.tokenHash", TestGateway.hash("other"), "b.scopes", "tools:call");
        return new TestGateway(fleet, fleet.calls, AccessConfig.of(Principals.of(settings), "", limits), "t",
                WebhookConfig.NONE);
    }

    private static LimitConfig limits(int perSecond, int requests, int streams, int all, Duration slow) {
        return new LimitConfig(perSecond, requests, streams, all, all, 2 * all, 10_000, slow);
    }

    @Test
    void aPrincipalOverItsRateIsToldWhenToComeAgain() {
        try (TestGateway gateway = gateway(limits(1, 10, 10, 10, Duration.ofSeconds(30)))) {
            HttpResponse<String> refused = gateway.post(PATH, CALL);
            while (refused.statusCode() != 429)
                refused = gateway.post(PATH, CALL);

            assertThat(header(refused, "Retry-After")).isEqualTo("1");
            assertThat(json(refused).path("type").asString()).endsWith(":too-many-requests");
            assertThat(json(refused).path("detail").asString()).contains("Nothing of this request was sent");
            assertThat(gateway.rejections()).extracting(each -> each.tag()).contains("limit-rate");
            Awaitility.await().until(() -> gateway.openRequests() == 0);
        }
    }

    @Test
    void aStreamThatFindsNoPlaceSendsNoCall() throws Exception {
        fleet.answering(_ -> null);
        try (TestGateway gateway = gateway(limits(1000, 10, 1, 10, Duration.ofSeconds(30)))) {
            gateway.post(PATH, CALL, "Prefer", "respond-async");
            HttpResponse<InputStream> open = gateway.client().send(
                    gateway.request("/v1/calls/0-0/events").GET().build(), BodyHandlers.ofInputStream());

            HttpResponse<String> refused = gateway.post(PATH, CALL.replace("\"c\"", "\"d\""), "Accept",
                    "text/event-stream");

            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(header(refused, "Retry-After")).isNotEmpty();
            assertThat(fleet.sent).hasSize(1);
            open.body().close();
        }
    }

    @Test
    void aFullGatewayRefusesAndLosesNothingThatItAccepted() throws Exception {
        fleet.answering(_ -> null);
        try (TestGateway gateway = gateway(limits(1000, 1, 1, 1, Duration.ofSeconds(30)))) {
            var waiting = gateway.client().sendAsync(gateway.request(PATH, "Content-Type", "application/json",
                    "Prefer", "wait=2").POST(java.net.http.HttpRequest.BodyPublishers.ofString(CALL)).build(),
                    BodyHandlers.ofString());
            Awaitility.await().until(() -> gateway.openRequests() == 1);

            HttpResponse<String> own = gateway.get("/v1/calls/0-0");
            HttpResponse<String> other = gateway.send(gateway.request("/v1/calls/0-0")
                    .setHeader("Authorization", "Bearer other").GET());

            assertThat(own.statusCode()).isEqualTo(429);
            assertThat(other.statusCode()).isEqualTo(503);
            assertThat(header(other, "Retry-After")).isEqualTo("1");
            HttpResponse<String> accepted = waiting.get();
            assertThat(accepted.statusCode()).isEqualTo(202);
            Awaitility.await().until(() -> gateway.openRequests() == 0);
            assertThat(gateway.get(header(accepted, "Location")).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aClientThatWaitsForItsResultIsNotSlow() {
        fleet.answering(_ -> null);
        try (TestGateway gateway = gateway(limits(1000, 10, 10, 10, Duration.ofMillis(200)))) {
            HttpResponse<String> answer = gateway.post(PATH, CALL, "Prefer", "wait=2");

            assertThat(answer.statusCode()).isEqualTo(202);
        }
    }

    @Test
    void aBodyAboveTheLimitIsRefused() {
        try (TestGateway gateway = gateway(limits(1000, 10, 10, 10, Duration.ofSeconds(30)))) {
            HttpResponse<String> answer = gateway.post(PATH,
                    "{\"name\":\"n\",\"args\":\"" + "x".repeat(10_000) + "\"}");

            assertThat(answer.statusCode()).isEqualTo(413);
            assertThat(json(answer).path("detail").asString()).contains("10000 bytes");
            assertThat(fleet.sent).isEmpty();
        }
    }

    /// The reader takes nothing, so the socket's buffers fill, and the write waits.
    @Test
    void aReaderThatTakesNothingIsCut() throws Exception {
        fleet.answering(_ -> null);
        try (TestGateway gateway = gateway(limits(1000, 10, 10, 10, Duration.ofMillis(500)))) {
            gateway.post(PATH, CALL, "Prefer", "respond-async");
            try (Socket socket = new Socket()) {
                socket.setReceiveBufferSize(4096);
                socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(),
                        gateway.request("/").build().uri().getPort()));
                socket.getOutputStream().write(String.join("\r\n", "GET /v1/calls/0-0/events HTTP/1.1", "Host: x",
                        "Authorization: Bearer t", "", "").getBytes(StandardCharsets.US_ASCII));
                Awaitility.await().until(() -> gateway.openStreams() == 1);
                for (int i = 0; i < 400; i++)
                    fleet.calls.progress(new CallId(0, 0), "x".repeat(50_000));

                Awaitility.await().until(() -> gateway.openStreams() == 0);
            }
        }
    }

    @Test
    void aClientThatSendsNoMoreOfItsBodyIsCut() throws Exception {
        try (TestGateway gateway = gateway(limits(1000, 10, 10, 10, Duration.ofMillis(500)));
                Socket socket = new Socket(InetAddress.getLoopbackAddress(),
                        gateway.request("/").build().uri().getPort())) {
            socket.getOutputStream().write(("POST " + PATH + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"name\"")
                    .getBytes(StandardCharsets.US_ASCII));

            byte[] answer = socket.getInputStream().readAllBytes();

            assertThat(new String(answer, StandardCharsets.UTF_8)).doesNotContain("HTTP/1.1 2");
            Awaitility.await().until(() -> gateway.openRequests() == 0);
            assertThat(fleet.sent).isEmpty();
        }
    }
}
