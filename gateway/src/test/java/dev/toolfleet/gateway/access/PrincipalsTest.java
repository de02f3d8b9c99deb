package dev.toolfleet.gateway.access;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.json.Digests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PrincipalsTest {
    private static final String HASH = Digests.sha256("secret".getBytes(StandardCharsets.UTF_8));

    @Test
    void aPrincipalIsFoundByItsToken() {
        Principals principals = Principals.of(Map.of("ci.tokenHash", HASH, "ci.scopes", "tools:call, tools:list",
                "ci.agents", "coder", "ci.instances", "ci-*,main", "ci.userId", "robot"));

        Principal ci = principals.find("secret").orElseThrow();

        assertThat(ci.name()).isEqualTo("ci");
        assertThat(ci.scopes()).isEqualTo(Set.of(Scope.TOOLS_CALL, Scope.TOOLS_LIST));
        assertThat(ci.userId()).contains("robot");
        assertThat(ci.speaksForOthers()).isFalse();
        assertThat(ci.mayUse("ci-7", "coder")).isTrue();
        assertThat(ci.mayUse("main", "coder")).isTrue();
        assertThat(ci.mayUse("main2", "coder")).isFalse();
        assertThat(ci.mayUse("main", "coder2")).isFalse();
        assertThat(principals.find("Secret")).isEmpty();
        assertThat(principals.find("")).isEmpty();
    }

    @Test
    void aPrincipalWithoutScopesMayDoNothingAndOneWithoutNamesUsesAll() {
        Principal plain = Principals.of(Map.of("a.tokenHash", HASH)).find("secret").orElseThrow();

        assertThat(plain.scopes()).isEmpty();
        assertThat(plain.mayUse("anything", "")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"a.tokenHash, hunter2, gateway.principals.a.tokenHash", "a.scopes, tools:call, a.tokenHash",
            "a.token, x, unknown setting gateway.principals.a.token", "a b.scopes, x, no name of a principal",
            "a, x, unknown setting gateway.principals.a"})
    void aWrongSettingIsNamed(String key, String value, String expected) {
        assertThatThrownBy(() -> Principals.of(Map.of(key, value))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(expected).hasMessageNotContaining("hunter2");
    }

    @Test
    void anUnknownScopeAndASharedTokenAreRefused() {
        assertThatThrownBy(() -> Principals.of(Map.of("a.tokenHash", HASH, "a.scopes", "tools:all")))
                .hasMessageContaining("'tools:all' is no scope").hasMessageContaining("tools:call");
        assertThatThrownBy(() -> Principals.of(Map.of("a.tokenHash", HASH, "b.tokenHash", HASH)))
                .hasMessageContaining("token of its own");
        assertThatThrownBy(() -> Principals.of(Map.of("a.tokenHash", Digests.sha256(new byte[0]))))
                .hasMessageContaining("empty token");
        assertThatThrownBy(() -> Principals.of(Map.of("a.tokenHash", HASH, "a.speaksForOthers", "yes")))
                .hasMessageContaining("'yes' is not true or false");
    }
}
