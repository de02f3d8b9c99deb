package dev.toolfleet.gateway.webhook;

import java.util.List;
import java.util.Map;

import dev.toolfleet.wire.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WebhookConfigTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final WebhookConfig CONFIG = WebhookConfig.of(Map.of("orders", SECRET),
            List.of("127.0.0.1:9000", "*.intern.example"));

    private static String refusal(String url) {
        return CONFIG.refusal(new Callback(url, "orders")).orElse("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://example.com", "https://example.com:3000/a?b=c", "HTTPS://Example.COM./",
            "https://8.8.8.8/", "http://127.0.0.1:9000/x", "http://a.intern.example:81/", "https://[2606:4700::1111]/"})
    void publicHostsWithTlsAndNamedOnesAreReached(String url) {
        assertThat(refusal(url)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            http://example.com/                | must begin with https://
            https://127.0.0.1/                 | the address is loopback
            http://127.0.0.1:9001/             | must begin with https://
            https://169.254.169.254/latest     | a cloud's metadata
            https://10.1.2.3/                  | the address is private
            https://[::ffff:10.0.0.1]/         | the address is private
            https://0x7f.1/                    | no usable host
            https://2130706433/                | no usable host
            https://a@example.com/             | has a user or a fragment
            https://example.com/#a             | has a user or a fragment
            https://example.com\\@10.0.0.1/    | is no URL
            ftp://example.com/                 | must be absolute
            /relative                          | must be absolute
            https:///path                      | URL
            https://example.com:0/             | has no port
            https://exämple.com/               | printable ASCII
            """)
    void othersAreRefused(String url, String reason) {
        assertThat(refusal(url)).contains(reason);
    }

    @Test
    void aLineBreakOrAnEndlessUrlIsRefusedAndNotQuoted() {
        assertThat(refusal("https://example.com/secret-path\r\nX: y")).contains("printable ASCII")
                .doesNotContain("secret-path");
        assertThat(refusal("https://example.com/" + "a".repeat(2000))).contains("2020 characters");
        assertThat(CONFIG.refusal(new Callback("https://example.com", "other")).orElseThrow())
                .contains("gateway.webhooks.secrets");
    }

    @Test
    void wrongSettingsNameTheKeyAndNoSecret() {
        assertThatThrownBy(() -> WebhookConfig.of(Map.of("Orders", SECRET), List.of()))
                .hasMessageStartingWith("gateway.webhooks.secrets.Orders ");
        assertThatThrownBy(() -> WebhookConfig.of(Map.of("orders", "hunter2"), List.of()))
                .hasMessageStartingWith("gateway.webhooks.secrets.orders ").message().doesNotContain("hunter2");
        assertThatThrownBy(() -> WebhookConfig.of(Map.of(), List.of("a b")))
                .hasMessageStartingWith("gateway.webhooks.allow 'a b' ");
    }
}
