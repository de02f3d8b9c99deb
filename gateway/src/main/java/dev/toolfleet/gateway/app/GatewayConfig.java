package dev.toolfleet.gateway.app;

import java.util.Map;
import java.util.Optional;

import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.gateway.access.AccessConfig;
import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.readers.ServiceAddresses;
import dev.toolfleet.gateway.readmodel.ReadModelConfig;
import dev.toolfleet.gateway.rest.McpTimes;
import dev.toolfleet.gateway.webhook.WebhookConfig;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.resources.BundleTrust;

/// Settings of a gateway.
///
/// @param readModel the read model of calls
/// @param http the address for clients
/// @param internal the address for other gateways
/// @param access the callers that it knows, and their limits
/// @param trust decides whose bundles count, as in the workers
/// @param webhooks the secrets and hosts of callbacks
/// @param services the addresses of the services whose views it shows
/// @param mcp the times of MCP clients' tasks
/// @param oauth opens and seals authorizations; empty for a gateway that takes no browsers back
public record GatewayConfig(ReadModelConfig readModel, HttpConfig http, HttpConfig internal, AccessConfig access,
        BundleTrust trust, WebhookConfig webhooks, ServiceAddresses services, McpTimes mcp,
        Optional<Secrets> oauth) {
    /// The section of the client's address.
    public static final String SECTION = "gateway.http";
    /// The section of the internal address.
    public static final String INTERNAL_SECTION = "gateway.internal";
    /// The section of the callers.
    public static final String PRINCIPALS = "gateway.principals";
    /// The default port for clients.
    public static final int DEFAULT_PORT = 7072;
    /// The default port for other gateways.
    public static final int DEFAULT_INTERNAL_PORT = 7073;

    /// Makes settings with the usual times of tasks, and without authorizations.
    public GatewayConfig(ReadModelConfig readModel, HttpConfig http, HttpConfig internal, AccessConfig access,
            BundleTrust trust, WebhookConfig webhooks, ServiceAddresses services) {
        this(readModel, http, internal, access, trust, webhooks, services,
                new McpTimes(readModel.retention(), McpTimes.DEFAULT_TASK_AFTER), Optional.empty());
    }

    /// Checks that other machines reach a gateway with principals only, and that results can go to their callbacks.
    ///
    /// @throws IllegalArgumentException naming the setting and its value
    public GatewayConfig {
        if (access.principals().isEmpty() && !http.isLocal())
            throw new IllegalArgumentException(SECTION + ".address '" + http.address() + "' can be reached from other"
                    + " machines, and there are no " + PRINCIPALS + ": anyone could call its tools. Add a principal, or"
                    + " bind to " + HttpConfig.DEFAULT_ADDRESS);
        for (Principal principal : access.principals().all()) {
            String key = "gateway.principals." + principal.name() + ".callback";
            principal.callbacks().standing().flatMap(webhooks::refusal).ifPresent(reason -> {
                throw new IllegalArgumentException(key + " is not allowed: " + reason);
            });
            for (String secret : principal.callbacks().secrets()) {
                if (!webhooks.secretNames().contains(secret))
                    throw new IllegalArgumentException(key + ".secrets '" + secret + "' is not allowed: the names of"
                            + " gateway.webhooks.secrets are " + webhooks.secretNames());
            }
        }
    }

    /// Returns the same settings, under which every bundle counts, signed or not.
    public GatewayConfig trustingAll() {
        return new GatewayConfig(readModel, http, internal, access, BundleTrust.ALL, webhooks, services, mcp,
                oauth);
    }

    /// Returns the same settings for a gateway that takes browsers back.
    public GatewayConfig withOAuth(Secrets secrets) {
        return new GatewayConfig(readModel, http, internal, access, trust, webhooks, services, mcp,
                Optional.of(secrets));
    }

    /// Returns the same settings with these addresses, unless they have their own.
    public GatewayConfig withServices(ServiceAddresses usual) {
        return new GatewayConfig(readModel, http, internal, access, trust, webhooks, services.or(usual), mcp,
                oauth);
    }

    /// The settings of its Kafka clients.
    ClientConfig client() {
        Map<String, String> kafka = readModel.kafka();
        return ClientConfig.of(kafka.getOrDefault("bootstrap.servers", "")).named("gateway").on(readModel.topics())
                .with(kafka);
    }
}
