package dev.toolfleet.cli.fleet;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.config.Settings;
import dev.toolfleet.gateway.access.AccessConfig;
import dev.toolfleet.gateway.access.Principals;
import dev.toolfleet.gateway.app.GatewayConfig;
import dev.toolfleet.gateway.limits.LimitConfig;
import dev.toolfleet.gateway.readers.ServiceAddress;
import dev.toolfleet.gateway.readers.ServiceAddresses;
import dev.toolfleet.gateway.readmodel.ReadModelConfig;
import dev.toolfleet.gateway.rest.McpTimes;
import dev.toolfleet.gateway.webhook.WebhookConfig;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.seal.KeySource;
import dev.toolfleet.resources.BundleTrust;

/// The section `gateway` as the gateway wants it.
public final class GatewaySettings {
    private static final Path DEFAULT_STATE = Path.of(System.getProperty("java.io.tmpdir"), "toolfleet-gateway");

    private GatewaySettings() {}

    /// Reads and finishes the section.
    ///
    /// @return empty when there is no HTTP, and so no gateway
    public static Optional<GatewayConfig> of(FleetConfig config) {
        return of(config, DEFAULT_STATE);
    }

    /// Reads and finishes the section.
    ///
    /// @param state the folder of the read model's stores, unless it is configured
    /// @return empty when there is no HTTP, and so no gateway
    static Optional<GatewayConfig> of(FleetConfig config, Path state) {
        Settings gateway = config.gateway();
        try {
            ReadModelConfig readModel = readModel(config, gateway, state);
            Optional<HttpConfig> http = http(gateway.section("http"));
            HttpConfig internal = internal(gateway.section("internal"));
            AccessConfig access = AccessConfig.of(Principals.of(gateway.texts("principals")),
                    gateway.text("publicUrl", ""), limits(gateway.section("limits")));
            BundleTrust trust = BundleTrust.of("gateway.trustedKeys", gateway.list("trustedKeys", List.of()));
            WebhookConfig webhooks = webhooks(gateway.section("webhooks"));
            ServiceAddresses services = new ServiceAddresses(
                    address(ServiceAddress.CATALOG, gateway.section("catalog")),
                    address(ServiceAddress.SESSION, gateway.section("session")));
            McpTimes mcp = new McpTimes(readModel.retention(),
                    gateway.section("mcp").duration("taskAfter", McpTimes.DEFAULT_TASK_AFTER));
            var _ = console(gateway);
            Optional<Secrets> oauth = KeySource.of(file(gateway.section("oauth")), System.getenv()).load()
                    .map(Secrets::new);
            gateway.finish();
            return http.map(clients -> new GatewayConfig(readModel, clients, internal, access, trust, webhooks,
                    services, mcp, oauth));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    /// Returns whether the gateway serves the console.
    ///
    /// @throws ConfigException when the setting cannot be used
    public static boolean hasConsole(FleetConfig config) {
        return console(config.gateway()) == Presence.ON;
    }

    private static Presence console(Settings gateway) {
        return gateway.choice("console", Presence.ON);
    }

    private enum Presence {
        ON, OFF
    }

    private static Optional<Path> file(Settings oauth) {
        String file = oauth.text("keyFile", "");
        return file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file));
    }

    /// Returns the id of the gateways' Kafka Streams application.
    public static String applicationId(FleetConfig config) {
        of(config);
        return readModel(config, config.gateway(), DEFAULT_STATE).applicationId();
    }

    private static ReadModelConfig readModel(FleetConfig config, Settings gateway, Path state) {
        Map<String, String> kafka = new HashMap<>(config.kafka().properties());
        kafka.put("bootstrap.servers", config.kafka().bootstrapServers());
        return new ReadModelConfig(gateway.text("group", ReadModelConfig.DEFAULT_GROUP), config.topics().topics(),
                kafka, gateway.path("stateDir", state),
                gateway.duration("retention", ReadModelConfig.DEFAULT_RETENTION),
                gateway.integer("replication", config.topics().replication(), -1, Short.MAX_VALUE),
                gateway.integer("standbys", ReadModelConfig.DEFAULT_STANDBYS));
    }

    private static Optional<HttpConfig> http(Settings http) {
        return HttpConfig.ofPrincipals(GatewayConfig.SECTION, http.text("address", HttpConfig.DEFAULT_ADDRESS),
                http.text("port", Integer.toString(GatewayConfig.DEFAULT_PORT)), http.text("advertised", ""));
    }

    private static LimitConfig limits(Settings limits) {
        LimitConfig usual = LimitConfig.DEFAULT;
        return new LimitConfig(limits.integer("requestsPerSecond", usual.requestsPerSecond()),
                limits.integer("requests", usual.requests()), limits.integer("streams", usual.streams()),
                limits.integer("allRequests", usual.allRequests()), limits.integer("allStreams", usual.allStreams()),
                limits.integer("connections", usual.connections()), limits.integer("maxBody", usual.maxBody()),
                limits.duration("slowClient", usual.slowClient()));
    }

    private static WebhookConfig webhooks(Settings webhooks) {
        return WebhookConfig.of(webhooks.texts("secrets"), webhooks.list("allow", List.of()));
    }

    private static Optional<ServiceAddress> address(String section, Settings settings) {
        String url = settings.text("url", "");
        String token = settings.text("token", "");
        if (url.isBlank() && !token.isEmpty())
            throw new IllegalArgumentException(section + ".token is set, and " + section + ".url is not; name the"
                    + " service that requires it");
        return url.isBlank() ? Optional.empty() : Optional.of(ServiceAddress.of(section, url, token));
    }

    private static HttpConfig internal(Settings internal) {
        String port = internal.text("port", Integer.toString(GatewayConfig.DEFAULT_INTERNAL_PORT));
        return HttpConfig.of(GatewayConfig.INTERNAL_SECTION, internal.text("address", HttpConfig.DEFAULT_ADDRESS), port,
                internal.text("token", ""), internal.text("advertised", ""))
                .orElseThrow(() -> new IllegalArgumentException(GatewayConfig.INTERNAL_SECTION + ".port '" + port
                        + "' is not allowed: other gateways read there; 1 to 65535, or 0 for a free one"));
    }
}
