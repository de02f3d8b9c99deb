package dev.toolfleet.springai;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ToolfleetPropertiesTest {
    private static final URI GATEWAY = URI.create("http://127.0.0.1:7072");

    private static ToolfleetProperties properties(@Nullable String servers, @Nullable URI gateway,
            @Nullable String token, String prefix, Map<String, String> kafka) {
        return new ToolfleetProperties("coder", servers, gateway, token, prefix, kafka, Duration.ofSeconds(1));
    }

    @Test
    void aTokenNeedsAGateway() {
        assertThatThrownBy(() -> properties("127.0.0.1:9092", null, "secret", "", Map.of()))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("toolfleet.gateway")
                .hasMessageNotContaining("secret");
    }

    @Test
    void settingsOfKafkaAreRefusedBesideAGateway() {
        assertThatThrownBy(() -> properties("127.0.0.1:9092", GATEWAY, null, "", Map.of()))
                .hasMessageContaining("toolfleet.bootstrap-servers");
        assertThatThrownBy(() -> properties(null, GATEWAY, null, "acme.", Map.of()))
                .hasMessageContaining("toolfleet.topic-prefix");
        assertThatThrownBy(() -> properties(null, GATEWAY, null, "", Map.of("security.protocol", "SSL")))
                .hasMessageContaining("toolfleet.kafka");
    }

    @Test
    void secretsAreNotInTheText() {
        assertThat(properties(null, GATEWAY, "secret", "", Map.of()).toString()).contains("coder", "token=set")
                .doesNotContain("secret");
        assertThat(properties("127.0.0.1:9092", null, null, "", Map.of("ssl.key.password", "secret")).toString())
                .contains("ssl.key.password").doesNotContain("secret");
    }
}
