package dev.toolfleet.gateway.webhook;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// The example of `docs/gateway.md` verifies what a gateway signs.
class VerificationExampleIT {
    private static final Pattern EXAMPLE = Pattern.compile("```python\n(import base64.*?)```", Pattern.DOTALL);
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OTHER = "whsec_" + "A".repeat(44);
    private static final long SENT = 1_800_000_000L;
    private static final String CALL = """

            import json, sys
            given = json.load(sys.stdin)
            print(verified(given["secret"], given["headers"], given["body"].encode(), given["now"]))
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private String verified(String signature, String body, long now) throws Exception {
        Matcher example = EXAMPLE.matcher(Files.readString(Path.of("..", "docs", "gateway.md")));
        assertThat(example.find()).isTrue();
        Path script = Files.writeString(folder.resolve("verify.py"), example.group(1) + CALL);
        Process python = new ProcessBuilder("python3", script.toString()).redirectErrorStream(true).start();
        try (var in = python.outputWriter(StandardCharsets.UTF_8)) {
            in.write(Json.MAPPER.writeValueAsString(Map.of("secret", SECRET, "body", body, "now", now, "headers",
                    Map.of("webhook-id", "call_1", "webhook-timestamp", Long.toString(SENT), "webhook-signature",
                            signature))));
        }
        String printed = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(python.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return printed;
    }

    private static String signed(String secrets, String body) {
        return WebhookSecret.parse(secrets).sign("call_1", SENT, body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theExampleAcceptsSignedResultsAndNoOthers() throws Exception {
        String body = "{\"output\":\"größer 🙂\"}";

        assertThat(verified(signed(SECRET, body), body, SENT + 10)).isEqualTo("True");
        assertThat(verified(signed(OTHER + " " + SECRET, body), body, SENT + 10)).isEqualTo("True");
        assertThat(verified(signed(SECRET, body), body + " ", SENT + 10)).isEqualTo("False");
        assertThat(verified(signed(OTHER, body), body, SENT + 10)).isEqualTo("False");
        assertThat(verified(signed(SECRET, body), body, SENT + 301)).isEqualTo("False");
    }
}
