package dev.toolfleet.gateway.webhook;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import com.standardwebhooks.Webhook;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Signatures, compared with the example of the specification and with its own library.
class WebhookSecretTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OTHER = "whsec_" + Base64.getEncoder().encodeToString(new byte[32]);

    private static HttpHeaders headers(String id, long timestamp, String signature) {
        return HttpHeaders.of(Map.of("webhook-id", List.of(id), "webhook-timestamp",
                List.of(Long.toString(timestamp)), "webhook-signature", List.of(signature)), (_, _) -> true);
    }

    @Test
    void theExampleOfTheSpecificationHasItsSignature() {
        assertThat(WebhookSecret.parse(SECRET).sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330L,
                "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void anIndependentVerifierAcceptsItAndRejectsAnotherBody() {
        String body = "{\"output\":\"größer 🙂\"}";
        long now = Instant.now().getEpochSecond();
        HttpHeaders headers = headers("call_1", now,
                WebhookSecret.parse(SECRET).sign("call_1", now, body.getBytes(StandardCharsets.UTF_8)));

        assertThatCode(() -> new Webhook(SECRET).verify(body, headers)).doesNotThrowAnyException();
        assertThatThrownBy(() -> new Webhook(SECRET).verify(body + " ", headers)).isInstanceOf(Exception.class);
        assertThatThrownBy(() -> new Webhook(OTHER).verify(body, headers)).isInstanceOf(Exception.class);
    }

    @Test
    void whileASecretChangesBothReceiversAcceptTheResult() {
        long now = Instant.now().getEpochSecond();
        HttpHeaders headers = headers("call_1", now, WebhookSecret.parse(OTHER + " " + SECRET).sign("call_1", now,
                "{}".getBytes(StandardCharsets.UTF_8)));

        for (String secret : List.of(SECRET, OTHER))
            assertThatCode(() -> new Webhook(secret).verify("{}", headers)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "secret-of-mine", "whsec_", "whsec_c2hvcnQ=", "whsec_!!!!",
            SECRET + " " + SECRET + " " + SECRET})
    void aWrongSecretIsRefusedWithoutItsText(String text) {
        assertThatThrownBy(() -> WebhookSecret.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("openssl rand").hasNoCause().message()
                .doesNotContain("secret-of-mine", "c2hvcnQ", "MfKQ9");
        assertThat(WebhookSecret.parse(SECRET)).hasToString("whsec_…");
    }
}
