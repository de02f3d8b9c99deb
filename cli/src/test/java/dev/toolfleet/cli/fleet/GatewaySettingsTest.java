package dev.toolfleet.cli.fleet;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.Effective;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.gateway.app.GatewayConfig;
import dev.toolfleet.gateway.limits.LimitConfig;
import dev.toolfleet.gateway.rest.McpTimes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GatewaySettingsTest {
    private static final String TOKEN = "a-token-of-enough-length";
    private static final String PRINCIPALS = """
              principals:
                ci:
                  tokenHash: "sha256:%s"
                  scopes: [tools:list, tools:call]
            """.formatted("0123456789abcdef".repeat(4));

    @Test
    void theConsoleIsServedUnlessItIsOff() {
        assertThat(GatewaySettings.hasConsole(FleetConfig.parse("", Map.of(), Map.of()))).isTrue();
        FleetConfig off = FleetConfig.parse("gateway: {console: off}", Map.of(), Map.of());
        assertThat(GatewaySettings.of(off)).isPresent();
        assertThat(GatewaySettings.hasConsole(off)).isFalse();
        FleetConfig wrong = FleetConfig.parse("gateway: {console: maybe}", Map.of(), Map.of());
        assertThatThrownBy(() -> GatewaySettings.of(wrong)).isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("gateway.console", "maybe", "on, off");
    }

    @Test
    void everySettingReachesTheGateway() {
        GatewayConfig config = GatewaySettings.of(FleetConfig.parse("""
                kafka: {bootstrapServers: "broker:9092"}
                topics: {prefix: acme., replication: 3}
                gateway:
                  group: eu
                  stateDir: /srv/gateway
                  retention: 2h
                  standbys: 0
                  mcp: {taskAfter: 3s}
                  publicUrl: https://tools.example.com/
                  limits: {requestsPerSecond: 5, requests: 6, streams: 7, allRequests: 8, allStreams: 9, connections: 99,
                    maxBody: 5000, slowClient: 9s}
                  http: {address: 0.0.0.0, port: 80, advertised: "tools.example.com:443"}
                  internal: {address: 10.0.0.1, port: 81, token: %s, advertised: "gateway-1:81"}
                """.formatted(TOKEN) + PRINCIPALS, Map.of(), Map.of())).orElseThrow();

        assertThat(config.readModel().applicationId()).isEqualTo("acme.eu.gateway");
        assertThat(config.readModel().kafka()).containsEntry("bootstrap.servers", "broker:9092");
        assertThat(config.readModel().stateDir()).isEqualTo(Path.of("/srv/gateway"));
        assertThat(config.readModel().retention()).isEqualTo(Duration.ofHours(2));
        assertThat(config.readModel().replication()).isEqualTo(3);
        assertThat(config.readModel().standbys()).isZero();
        assertThat(config.access().publicUrl()).contains(URI.create("https://tools.example.com"));
        assertThat(config.access().limits())
                .isEqualTo(new LimitConfig(5, 6, 7, 8, 9, 99, 5000, Duration.ofSeconds(9)));
        assertThat(config.http().toString()).contains("0.0.0.0", "80", "tools.example.com");
        assertThat(config.internal().toString()).contains("10.0.0.1", "81", "gateway-1").doesNotContain(TOKEN);
        assertThat(config.internal().token()).isPresent();
        assertThat(config.access().principals().isEmpty()).isFalse();
        assertThat(config.mcp()).isEqualTo(new McpTimes(Duration.ofHours(2), Duration.ofSeconds(3)));
    }

    @Test
    void jwtsAreConfiguredByFileAndByEnvironment() {
        String issuer = """
                gateway:
                  principals:
                    staff:
                      scopes: tools:call
                      jwt: {issuer: "https://login.example", jwksUri: "https://login.example/jwks"}
                """;

        FleetConfig config = FleetConfig.parse(issuer, Map.of("TOOLFLEET_GATEWAY_PRINCIPALS_STAFF_JWT_AUDIENCE",
                "https://tools.example.com"), Map.of());

        assertThat(GatewaySettings.of(config).orElseThrow().access().principals().isEmpty()).isFalse();
        assertThatThrownBy(() -> GatewaySettings.of(FleetConfig.parse(issuer, Map.of(), Map.of())))
                .isInstanceOf(ConfigException.class).hasMessageContaining("gateway.principals.staff.jwt.audience");
    }

    @Test
    void theInternalTokenComesFromTheEnvironmentAndIsNotShown() {
        FleetConfig config = FleetConfig.parse("gateway: {internal: {address: 0.0.0.0}}",
                Map.of("TOOLFLEET_GATEWAY_INTERNAL_TOKEN", TOKEN), Map.of());

        assertThat(GatewaySettings.of(config).orElseThrow().internal().token()).isPresent();
        assertThat(config.effective()).anySatisfy(setting -> {
            assertThat(setting.key()).isEqualTo("gateway.internal.token");
            assertThat(setting.shown()).isEqualTo("********");
        }).extracting(Effective::shown).noneMatch(shown -> shown.contains(TOKEN));
    }

    @Test
    void aTimeOfTasksThatIsTooLongIsNamed() {
        assertThatThrownBy(() -> GatewaySettings.of(FleetConfig.parse("gateway: {mcp: {taskAfter: 11m}}", Map.of(),
                Map.of()))).isInstanceOf(ConfigException.class)
                .hasMessageContaining("gateway.mcp.taskAfter 'PT11M' is not allowed");
    }

    @Test
    void otherMachinesReachAGatewayWithPrincipalsOnly() {
        String everywhere = "gateway:\n  http: {address: 0.0.0.0}\n";

        assertThatThrownBy(() -> GatewaySettings.of(FleetConfig.parse(everywhere, Map.of(), Map.of())))
                .isInstanceOf(ConfigException.class).hasMessageContaining("gateway.http.address '0.0.0.0'")
                .hasMessageContaining("gateway.principals").hasMessageContaining("127.0.0.1");
        assertThat(GatewaySettings.of(FleetConfig.parse(everywhere + PRINCIPALS, Map.of(), Map.of()))).isPresent();
    }

    @ParameterizedTest
    @CsvSource({"gateway.internal.address, 0.0.0.0, TOOLFLEET_GATEWAY_INTERNAL_TOKEN",
            "gateway.internal.port, off, 0 for a free one", "gateway.http.port, 99999, gateway.http.port '99999'",
            "gateway.retention, 10s, between 1 minute and 7 days", "gateway.standbys, 6, gateway.standbys '6'",
            "gateway.catalog.url, catalog, http://catalog:7070",
            "gateway.catalog.token, a-token-of-enough-length, gateway.catalog.url",
            "gateway.group, a/b, gateway.group 'a/b'", "gateway.webhooks.allow, a b, gateway.webhooks.allow 'a b'",
            "gateway.webhooks.secrets.orders, hunter2, gateway.webhooks.secrets.orders",
            "gateway.http.token, secret, gateway.http.token",
            "gateway.principals.ci.scope, x, gateway.principals.ci.scope", "gateway.statedir, x, gateway.stateDir",
            "gateway.publicUrl, http://tools.example.com, https://",
            "gateway.limits.streams, 0, gateway.limits.streams 0",
            "gateway.limits.connections, 10, gateway.limits.connections 10"})
    void whatCannotBeUsedIsNamed(String key, String value, String part) {
        FleetConfig config = FleetConfig.parse("", Map.of(), Map.of(key, value));

        assertThatThrownBy(() -> GatewaySettings.of(config)).isInstanceOf(ConfigException.class)
                .hasMessageContaining(key.substring(0, "gateway.".length())).hasMessageContaining(part);
    }

    @Test
    void withoutHttpThereIsNoGateway() {
        assertThat(GatewaySettings.of(FleetConfig.parse("", Map.of(), Map.of("gateway.http.port", "off")))).isEmpty();
    }
}
