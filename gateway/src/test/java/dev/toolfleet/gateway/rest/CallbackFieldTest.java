package dev.toolfleet.gateway.rest;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.gateway.webhook.WebhookConfig;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class CallbackFieldTest {
    private static final String PATH = "/v1/instances/i/agents/coder/calls";
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final WebhookConfig WEBHOOKS = WebhookConfig.of(
            Map.of("own", SECRET, "second", SECRET, "foreign", SECRET), List.of());
    private static final Map<String, String> CI = Map.of("ci.tokenHash", TestGateway.hash("token"), "ci.scopes",
            "tools:call", "ci.callback.url", "https://ci.example/standing", "ci.callback.secret", "own",
            "ci.callback.secrets", "second");

    private final MemoryFleet fleet = new MemoryFleet();

    private static String body(String callback) {
        return "{\"name\":\"t__write\",\"callback\":" + callback + "}";
    }

    private static String callback(String url, String secret) {
        return Json.MAPPER.writeValueAsString(Map.of("url", url, "secret", secret));
    }

    private HttpResponse<String> post(Map<String, String> principals, String body) {
        try (TestGateway gateway = new TestGateway(fleet, fleet.calls, principals, principals.isEmpty() ? "" : "token",
                WEBHOOKS)) {
            return gateway.post(PATH, body, "Idempotency-Key", "k" + fleet.sent.size());
        }
    }

    @Test
    void theCallbackTravelsBesideTheCall() {
        HttpResponse<String> answer = post(Map.of(), body(callback("https://a.example/x?y=z", "foreign")));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(fleet.callbacks).containsExactly(Optional.of(new Callback("https://a.example/x?y=z", "foreign")));
        assertThat(Json.MAPPER.writeValueAsString(fleet.sent.getFirst())).doesNotContain("a.example", "foreign");
    }

    @Test
    void aCallWithoutOneHasThatOfItsPrincipal() {
        assertThat(post(Map.of(), "{\"name\":\"t__write\"}").statusCode()).isEqualTo(200);
        assertThat(post(CI, "{\"name\":\"t__write\"}").statusCode()).isEqualTo(200);
        assertThat(post(CI, body("null")).statusCode()).isEqualTo(200);

        Optional<Callback> standing = Optional.of(new Callback("https://ci.example/standing", "own"));
        assertThat(fleet.callbacks).containsExactly(Optional.empty(), standing, standing);
    }

    @Test
    void aPrincipalNamesItsOwnSecretsOnly() {
        for (String secret : List.of("own", "second"))
            assertThat(post(CI, body(callback("https://a.example/", secret))).statusCode()).isEqualTo(200);
        HttpResponse<String> answer = post(CI, body(callback("https://a.example/", "foreign")));

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("gateway.principals.ci.callback.secrets");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "text"                                                   | 'callback' must be an object
            {"url":"https://a.example/"}                             | 'callback.secret' must be text
            {"url":7,"secret":"own"}                                 | 'callback.url' must be text
            {"url":"https://a.example/","secret":"own","to":1}       | unknown field 'to'
            {"url":"https://a.example/","secret":"none"}             | gateway.webhooks.secrets
            {"url":"http://a.example/","secret":"own"}               | must begin with https://
            {"url":"https://10.0.0.1/","secret":"own"}               | the address is private
            {"url":"https://a@b.example/","secret":"own"}            | has a user
            """, quoteCharacter = '\u0001')
    void aWrongCallbackIsRefusedByItsField(String callback, String reason) {
        HttpResponse<String> answer = post(Map.of(), body(callback));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("callback", reason);
        assertThat(fleet.sent).isEmpty();
    }
}
