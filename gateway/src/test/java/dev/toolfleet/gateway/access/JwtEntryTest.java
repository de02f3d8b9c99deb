package dev.toolfleet.gateway.access;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.gateway.access.JwtEntry.Reading;
import dev.toolfleet.gateway.jwt.Claims;
import dev.toolfleet.gateway.jwt.TokenVerdict.Fault;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Principals that are the subjects of an issuer.
class JwtEntryTest {
    private static final String ISSUER = "https://login.example";
    private static final String AUDIENCE = "https://tools.example";

    /// Settings of the entry `staff`, changed by `name, value, …`; an empty value removes one.
    private static Map<String, String> settings(String... changes) {
        Map<String, String> settings = new HashMap<>(Map.of("staff.jwt.issuer", ISSUER, "staff.jwt.audience", AUDIENCE,
                "staff.jwt.jwksUri", ISSUER + "/jwks", "staff.scopes", "tools:list, tools:call"));
        for (int i = 0; i < changes.length; i += 2)
            settings.put(changes[i], changes[i + 1]);
        settings.values().removeIf(String::isEmpty);
        return settings;
    }

    /// A token's claims, changed by `name, value, …` in JSON.
    private static Claims claims(String... changes) {
        ObjectNode json = Json.MAPPER.createObjectNode().put("sub", "ann").put("aud", AUDIENCE)
                .put("scope", "openid tools:call fleet:read");
        for (int i = 0; i < changes.length; i += 2)
            json.set(changes[i], Json.MAPPER.readTree(changes[i + 1]));
        return new Claims(json);
    }

    private static Reading read(Map<String, String> settings, Claims claims) {
        return Principals.of(settings).read(ISSUER, claims, "/v1/agents");
    }

    private static Principal caller(Map<String, String> settings, Claims claims) {
        Reading reading = read(settings, claims);
        assertThat(reading).isInstanceOf(Reading.Caller.class);
        return ((Reading.Caller) reading).principal();
    }

    private static Fault fault(Map<String, String> settings, Claims claims) {
        Reading reading = read(settings, claims);
        assertThat(reading).isInstanceOf(Reading.Misfit.class);
        return ((Reading.Misfit) reading).fault();
    }

    @Test
    void noTwoCallersHaveOneName() {
        String hash = Digests.sha256("ann@example").replace("sha256:", "~");
        Set<String> names = new HashSet<>(List.of("staff", "staff2"));
        List<String> subjects = List.of("ann", "Ann", "ann.", "ann.b", "ann@example", hash, "~" + hash, "ann ", " ann",
                "a/b", "staff.ann", "\u00e9", "e\u0301", "x".repeat(64), "x".repeat(65), "\n", "*");
        for (String subject : subjects) {
            String name = caller(settings(), claims("sub", Json.MAPPER.writeValueAsString(subject))).name();

            assertThat(name).as(subject).matches("staff\\.[A-Za-z0-9._~-]{1,65}");
            assertThat(names.add(name)).as(subject).isTrue();
        }
        Map<String, String> two = settings("staff.jwt.issuer", "", "staff.jwt.audience", "", "staff.jwt.jwksUri", "",
                "staff.scopes", "");
        two.putAll(Map.of("staff2.jwt.issuer", ISSUER, "staff2.jwt.audience", AUDIENCE, "staff2.jwt.jwksUri",
                ISSUER + "/jwks", "staff2.scopes", "tools:call"));
        assertThat(caller(two, claims()).name()).isEqualTo("staff2.ann");
    }

    @Test
    void scopesAreThoseOfBothSides() {
        assertThat(caller(settings(), claims()).scopes()).isEqualTo(Set.of(Scope.TOOLS_CALL));
        assertThat(caller(settings(), claims("scope", "[\"tools:list\", \"tools:call\"]")).scopes())
                .isEqualTo(Set.of(Scope.TOOLS_LIST, Scope.TOOLS_CALL));
        assertThat(caller(settings(), claims("scope", "null", "scp", "[\"tools:list\"]")).scopes())
                .isEqualTo(Set.of(Scope.TOOLS_LIST));
        assertThat(caller(settings(), claims("scp", "\"tools:list\"")).scopes()).as("scope counts where it is")
                .isEqualTo(Set.of(Scope.TOOLS_CALL));
        for (String none : Arrays.asList("null", "7", "\"\"", "{}", "[7, \"tools:call\"]",
                "\"Tools:Call tools:call2\""))
            assertThat(caller(settings(), claims("scope", none)).scopes()).as(none).isEmpty();
    }

    @Test
    void claimsOnlyNarrowWhatTheEntryMayUse() {
        Map<String, String> settings = settings("staff.agents", "coder, clerk", "staff.instances", "office-*",
                "staff.jwt.agentsClaim", "agents", "staff.jwt.instancesClaim", "rooms");

        Principal one = caller(settings, claims("agents", "[\"clerk\", \"root\"]", "rooms", "\"office-7*\""));
        assertThat(one.mayUse("office-71", "clerk")).isTrue();
        assertThat(one.mayUse("office-6", "clerk")).isFalse();
        assertThat(one.mayUse("office-71", "coder")).isFalse();
        assertThat(one.mayUse("office-71", "root")).isFalse();
        Principal all = caller(settings, claims("agents", "\"*\"", "rooms", "\"*\""));
        assertThat(all.mayUse("office-1", "coder")).isTrue();
        assertThat(all.mayUse("home", "coder")).isFalse();
        for (String none : List.of("null", "7", "[]", "{}", "[\"clerk\", 7]"))
            assertThat(caller(settings, claims("agents", none, "rooms", "\"*\"")).mayUse("office-1", "clerk")).as(none)
                    .isFalse();
    }

    @Test
    void theFirstEntryThatATokenFitsCounts() {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String name : List.of("admins", "staff")) {
            settings.put(name + ".jwt.issuer", ISSUER);
            settings.put(name + ".jwt.audience", AUDIENCE);
            settings.put(name + ".jwt.jwksUri", ISSUER + "/jwks");
            settings.put(name + ".scopes", "tools:call");
        }
        settings.put("admins.jwt.claim", "groups=admins");

        assertThat(caller(settings, claims("groups", "[\"all\", \"admins\"]")).name()).isEqualTo("admins.ann");
        assertThat(caller(settings, claims("groups", "\"admins2\"")).name()).isEqualTo("staff.ann");
        assertThat(caller(settings, claims()).name()).isEqualTo("staff.ann");
        settings.put("staff.jwt.claim", "groups=staff");
        assertThat(fault(settings, claims())).isEqualTo(Fault.CLAIM);
    }

    @Test
    void personAndChannelComeFromClaims() {
        Map<String, String> settings = settings("staff.jwt.userIdClaim", "email", "staff.channelId", "web");

        Principal ann = caller(settings, claims("email", "\"ann@example\""));
        assertThat(ann.userId()).contains("ann@example");
        assertThat(ann.channelId()).contains("web");
        for (String wrong : List.of("null", "\"\"", "7", "[\"a\"]", "\"" + "x".repeat(1025) + "\""))
            assertThat(fault(settings, claims("email", wrong))).as(wrong).isEqualTo(Fault.CLAIM);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "7", "\"\"", "\"https://other.example\"", "\"https://tools.example.evil\"",
            "\"https://tools.example2\"", "\"HTTPS://tools.example\"", "[\"https://tools.example\", 7]", "[]",
            "\"https://tools.example/v1/agentsx\"", "\"https://tools.example/v1/agent\"",
            "\"https://tools.example/v2\""})
    void aTokenForAnotherAudienceIsRefused(String audience) {
        assertThat(fault(settings(), claims("aud", audience))).isEqualTo(Fault.AUDIENCE);
    }

    @ParameterizedTest
    @CsvSource({"/v1, /v1/agents, true", "/v1/, /v1/agents, true", "/v1/agents, /v1/agents, true",
            "/v1/a, /v1/a/%2e%2e/b, false", "/v1/a, /v1/a/../b, false", "/v1/a, /v1/a/.%2E/b, false",
            "/v1/a, /v1/a;x/b, false", "/v1/a, /v1/a//b, false", "/v1/a, /v1/a/./b, false", "/v1/a, /v1/a/.., false",
            "/v1/a, /v1/a%2f..%2fb, false", "/v1/a, /v1/b, false", "/v1/a, /v1/A/c, false", "/, /v1/b, true"})
    void anAudienceWithAPathIsGoodForThatPathAlone(String audience, String path, boolean permitted) {
        assertThat(new Audience(AUDIENCE).permits(List.of("x", AUDIENCE + audience), path)).isEqualTo(permitted);
    }

    @ParameterizedTest
    @CsvSource({"staff.jwt.issuer, '', gateway.principals.staff.jwt.issuer is missing",
            "staff.jwt.audience, '', gateway.principals.staff.jwt.audience is missing",
            "staff.jwt.jwksUri, '', gateway.principals.staff.jwt.jwksUri is missing",
            "staff.jwt.jwksUri, http://login.example/jwks, 'jwksUri ''http://login.example/jwks'' is not allowed'",
            "staff.jwt.jwksUri, https://u:p@login.example/jwks, is not allowed",
            "staff.jwt.jwksUri, https:///jwks, is not allowed", "staff.jwt.jwksUri, file:///etc/keys, is not allowed",
            "staff.jwt.issuer, login, gateway.principals.staff.jwt.issuer 'login'", "staff.scopes, '', scopes is empty",
            "staff.jwt.claim, groups, NAME=VALUE", "staff.jwt.claim, =x, NAME=VALUE",
            "staff.jwt.kid, x, unknown setting gateway.principals.staff.jwt.kid",
            "staff.jwt.userIdClaim, sub, keep one of them"})
    void aWrongSettingIsNamed(String key, String value, String expected) {
        Map<String, String> settings = settings("staff.userId", key.endsWith("userIdClaim") ? "x" : "", key, value);

        assertThatThrownBy(() -> Principals.of(settings)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(expected);
    }

    @Test
    void anIssuerHasOneAddressOfKeysAndAnEntryOneKindOfToken() {
        Map<String, String> other = settings("b.jwt.issuer", ISSUER, "b.jwt.audience", AUDIENCE, "b.jwt.jwksUri",
                ISSUER + "/others", "b.scopes", "tools:call");

        assertThatThrownBy(() -> Principals.of(other)).hasMessageContaining("an issuer has one address of keys");
        assertThatThrownBy(() -> Principals.of(settings("staff.tokenHash", Digests.sha256("x"))))
                .hasMessageContaining("make two principals of it");
    }

    @Test
    void keysOfThisMachineNeedNoTls() {
        for (String local : List.of("http://127.0.0.1:9/jwks", "http://[::1]/jwks", "http://localhost/jwks"))
            assertThat(Principals.of(settings("staff.jwt.jwksUri", local)).issuers()).hasSize(1);
        for (String far : List.of("http://127.0.0.1.example/jwks", "http://localhost.example/jwks",
                "http://10.0.0.1/jwks"))
            assertThatThrownBy(() -> Principals.of(settings("staff.jwt.jwksUri", far))).as(far)
                    .hasMessageContaining("https://");
    }
}
