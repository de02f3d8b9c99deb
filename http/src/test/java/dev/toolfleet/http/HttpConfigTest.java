package dev.toolfleet.http;

import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HttpConfigTest {
    private static final String TOKEN = "a-token-of-enough-length";

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.8.9.1", "localhost", "::1"})
    void thisMachineAloneNeedsNoToken(String address) {
        assertThat(HttpConfig.of("catalog.http", address, "7070", "", "")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "10.0.0.7", "catalog.example.org", "127.0.0.1.example.org"})
    void otherMachinesNeedOne(String address) {
        assertThatThrownBy(() -> HttpConfig.of("catalog.http", address, "7070", "", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + address + "'").hasMessageContaining("TOOLFLEET_CATALOG_HTTP_TOKEN")
                .hasMessageContaining("127.0.0.1");
        assertThat(HttpConfig.of("catalog.http", address, "7070", TOKEN, "")).isPresent();
    }

    @Test
    void offIsNoHttpAtAll() {
        assertThat(HttpConfig.of("catalog.http", "0.0.0.0", "off", "", "")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"65536", "-1", "http", "", "7070x"})
    void aPortThatIsNoneIsNamed(String port) {
        assertThatThrownBy(() -> HttpConfig.of("catalog.http", "127.0.0.1", port, "", ""))
                .hasMessageContaining("catalog.http.port '" + port + "'").hasMessageContaining("off");
    }

    @ParameterizedTest
    @ValueSource(strings = {"short", "has a space in the middle", "quote\"quote\"quote\"quote"})
    void aTokenThatCannotBeUsedIsRefusedWithoutBeingPrinted(String token) {
        assertThatThrownBy(() -> HttpConfig.of("catalog.http", "127.0.0.1", "7070", token, ""))
                .hasMessageContaining("catalog.http.token").hasMessageNotContaining(token);
    }

    @Test
    void aTokenIsNeverPrinted() {
        assertThat(HttpConfig.of("catalog.http", "127.0.0.1", "7070", TOKEN, "").orElseThrow().toString())
                .doesNotContain(TOKEN);
        assertThat(new BearerToken("catalog.http.token", TOKEN)).isEqualTo(new BearerToken("catalog.http.token", TOKEN))
                .isNotEqualTo(new BearerToken("catalog.http.token", TOKEN + "x"));
    }

    @ParameterizedTest
    @CsvSource({"catalog-1.example.org:7070, catalog-1.example.org, 7070", "10.0.0.1:80, 10.0.0.1, 80",
            "[fd00::1]:7070, fd00::1, 7070"})
    void whereItIsReachedIsHostAndPort(String advertised, String host, int port) {
        HostPort parsed = HttpConfig.of("catalog.http", "127.0.0.1", "0", "", advertised).orElseThrow().reachedAt(1);

        assertThat(parsed).isEqualTo(new HostPort(host, port)).hasToString(advertised);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://host:7070", "host", "host:0", "host:70700", "fd00::1:7070"})
    void whereItIsReachedIsNothingElse(String advertised) {
        assertThatThrownBy(() -> HttpConfig.of("catalog.http", "127.0.0.1", "0", "", advertised))
                .hasMessageContaining("catalog.http.advertised '" + advertised + "'").hasMessageContaining("host:port");
    }

    @Test
    void withoutASettingItIsReachedWhereItIsBound() {
        assertThat(HttpConfig.of("catalog.http", "127.0.0.1", "0", "", "").orElseThrow().reachedAt(4711))
                .isEqualTo(new HostPort("127.0.0.1", 4711));
        HostPort everywhere = new HttpConfig("catalog.http", "0.0.0.0", 0,
                Optional.of(new BearerToken("catalog.http.token", TOKEN)), Optional.empty())
                .reachedAt(4711);
        assertThat(everywhere.host()).isNotEqualTo("0.0.0.0").isNotBlank();
        assertThat(everywhere.port()).isEqualTo(4711);
    }
}
