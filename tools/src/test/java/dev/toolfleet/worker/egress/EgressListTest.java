package dev.toolfleet.worker.egress;

import java.util.List;
import java.util.Map;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EgressListTest {
    private static final EgressList SOME = EgressList
            .of(List.of("API.example.com.", "*.example.org", "odd.example:8444", "93.184.216.34", "[2600::1]:443"));

    @ParameterizedTest
    @CsvSource({"api.example.com,443", "api.example.com,80", "api.example.com,8080", "a.b.example.org,8443",
            "odd.example,8444", "93.184.216.34,443", "[::ffff:93.184.216.34],443", "[2600:0::1],443"})
    void whatIsNamedIsAllowed(String host, int port) {
        assertThat(SOME.refusal(HostName.parse(host), port)).isEmpty();
        assertThat(SOME.refusalToCommand(HostName.parse(host), port)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"www.example.com,443", "example.com,443", "api.example.com.evil.example,443", "example.org,443",
            "notexample.org,443", "api.example.com,22", "odd.example,443", "[2600::1],80", "93.184.216.35,443"})
    void whatIsNotNamedIsRefusedWithHostAndSetting(String host, int port) {
        HostName name = HostName.parse(host);
        assertThat(SOME.refusal(name, port)).hasValueSatisfying(reason -> assertThat(reason)
                .contains("'" + name.text() + "'", "port " + port, "worker.egress.allow"));
        assertThat(SOME.refusalToCommand(name, port)).isEqualTo(SOME.refusal(name, port));
    }

    @Test
    void withoutTheSettingEveryHostIsAllowedAndCommandsKeepToThePortsOfWebServers() {
        EgressList unset = EgressConfig.of(Settings.of("worker.egress", Map.of())).list();
        HostName any = HostName.parse("any.example");

        assertThat(unset).isEqualTo(EgressList.ALL);
        assertThat(unset.refusal(any, 22)).isEmpty();
        assertThat(unset.refusalToCommand(any, 443)).isEmpty();
        assertThat(unset.refusalToCommand(any, 22)).isPresent();
    }

    @Test
    void anEmptyListAllowsNothing() {
        EgressList empty = EgressConfig.of(Settings.of("worker.egress", Map.of("allow", List.of()))).list();
        assertThat(empty.refusal(HostName.parse("any.example"), 443)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://a.example", "a.example:0", "a.example:65536", "*", "*.1.2.3.4", "a b",
            "a.example/x",
            "0x7f.1", "*example.com", "u@a.example"})
    void whatIsNoPatternIsRefused(String entry) {
        if (entry.equals("*"))
            assertThatThrownBy(() -> HostPattern.parse(entry)).isInstanceOf(IllegalArgumentException.class);
        else
            assertThatThrownBy(() -> EgressList.of(List.of(entry))).isInstanceOf(ConfigException.class)
                    .hasMessageContaining("worker.egress.allow is '" + entry + "'")
                    .hasMessageContaining("api.example.com");
    }

    @Test
    void aCommandMustBeAllowedSomeBytes() {
        assertThatThrownBy(() -> EgressConfig.of(Settings.of("worker.egress", Map.of("maxBytes", "0"))))
                .isInstanceOf(ConfigException.class).hasMessageContaining("worker.egress.maxBytes is '0'");
    }
}
