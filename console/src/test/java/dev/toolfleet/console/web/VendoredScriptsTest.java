package dev.toolfleet.console.web;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Scripts of others are the files of their npm packages. `.ci/browser` compares them with the packages themselves,
/// whose integrity npm checks.
class VendoredScriptsTest {
    private static final Map<String, String> INTEGRITY = Map.of(
            "htmx-4.0.1.min.js", "sha384-Qp9rdC8H7EqOoX+nR0P3RPG2Noji+qdwJlGpfzwQJsfOpp3sGwIdSP9xO3+UlEhn",
            "hx-sse-4.0.1.min.js", "sha384-v8HvucQ+ohQhMg0arboXc5049yNR46QKMjphs7YDch+Wm7zpfK5XVS01f26mQDJV",
            "uplot-1.6.32.min.js", "sha384-Gx3t0zdBAuQOuvvmaLZj7HKEiSgWTAs+VdtNY7wt19QDPTDQjFIwAuXDj0zeN00c",
            "uplot-1.6.32.min.css", "sha384-IfV0B7MIOYuO95kO9G5ySKPz/85zqFNOAs8iy4tkK5zd9izhJAB8b7lHrwYqqmYE");

    @Test
    void theyAreUnchanged() throws IOException, NoSuchAlgorithmException {
        for (Map.Entry<String, String> file : INTEGRITY.entrySet()) {
            try (InputStream in = Objects.requireNonNull(Assets.class.getResourceAsStream(file.getKey()))) {
                byte[] digest = MessageDigest.getInstance("SHA-384").digest(in.readAllBytes());
                assertThat("sha384-" + Base64.getEncoder().encodeToString(digest)).as(file.getKey())
                        .isEqualTo(file.getValue());
            }
        }
    }
}
