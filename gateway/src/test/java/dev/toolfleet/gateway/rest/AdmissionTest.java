package dev.toolfleet.gateway.rest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.toolfleet.gateway.rest.TestGateway.header;
import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

/// Requests enter by the token of a principal, or from this machine alone when there is none.
class AdmissionTest {
    private static final String PATH = "/v1/instances/i/agents/coder/calls";
    private static final String CALL = "{\"name\":\"n\"}";

    private final MemoryFleet fleet = new MemoryFleet();

    @ParameterizedTest
    @CsvSource({"'', invalid_token absent", "wrong, invalid_token"})
    void noTokenAndAWrongOneAreRefused(String token, String challenge) {
        Map<String, String> settings = Map.of("a.tokenHash", TestGateway.hash("right"), "a.scopes", "tools:call");
        try (TestGateway gateway = new TestGateway(fleet, fleet.calls, settings, token)) {
            HttpResponse<String> answer = gateway.post(PATH, CALL);

            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(header(answer, "WWW-Authenticate").contains("invalid_token"))
                    .isEqualTo(challenge.equals("invalid_token"));
            assertThat(answer.body()).doesNotContain("right");
            assertThat(fleet.sent).isEmpty();
        }
    }

    @Test
    void aScopeThatIsMissingIsNamed() {
        Map<String, String> settings = Map.of("a.tokenHash", TestGateway.hash("t"), "a.scopes", "tools:call");
        try (TestGateway gateway = new TestGateway(fleet, fleet.calls, settings, "t")) {
            HttpResponse<String> answer = gateway.post("/v1/instances/i/agents/coder/steps",
                    "{\"turnId\":\"t\",\"stepId\":\"s\"}");

            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(json(answer).path("detail").asString()).contains("tools:list", "'a'");
            assertThat(fleet.begun).isEmpty();
        }
    }

    @Test
    void aPageOfAnotherOriginMayNotCall() {
        try (TestGateway gateway = new TestGateway(fleet, fleet.calls)) {
            for (String origin : new String[]{"https://evil.example", "null", "http://127.0.0.1:1", "%"}) {
                HttpResponse<String> answer = gateway.post(PATH, CALL, "Origin", origin);

                assertThat(answer.statusCode()).as(origin).isEqualTo(403);
            }
            assertThat(fleet.sent).isEmpty();
        }
    }

    // The name of a page may lead to this machine (DNS rebinding).
    @Test
    void aRequestForAnotherHostIsRefusedWithoutPrincipals() throws IOException {
        try (TestGateway gateway = new TestGateway(fleet, fleet.calls);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(),
                        gateway.request("/").build().uri().getPort())) {
            socket.getOutputStream().write(("POST " + PATH + " HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n"
                    + "Content-Type: application/json\r\nContent-Length: " + CALL.length() + "\r\n\r\n" + CALL)
                    .getBytes(StandardCharsets.UTF_8));

            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(answer).startsWith("HTTP/1.1 403");
            assertThat(fleet.sent).isEmpty();
        }
    }
}
