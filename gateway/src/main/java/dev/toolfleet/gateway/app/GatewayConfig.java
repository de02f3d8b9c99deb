package dev.toolfleet.gateway.app;

import java.util.Map;

import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.gateway.access.Principals;
import dev.toolfleet.gateway.readmodel.ReadModelConfig;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.resources.BundleTrust;

/// Settings of a gateway.
///
/// @param readModel the read model of calls
/// @param http the address for clients
/// @param internal the address for other gateways
/// @param principals the callers that it knows; without any, it serves this machine alone
/// @param trust decides whose bundles count, as in the workers
public record GatewayConfig(ReadModelConfig readModel, HttpConfig http, HttpConfig internal, Principals principals,
        BundleTrust trust) {
    /// The section of the client's address.
    public static final String SECTION = "gateway.http";
    /// The section of the internal address.
    public static final String INTERNAL_SECTION = "gateway.internal";
    /// The default port for clients.
    public static final int DEFAULT_PORT = 7072;
    /// The default port for other gateways.
    public static final int DEFAULT_INTERNAL_PORT = 7073;

    /// The settings of its Kafka clients.
    ClientConfig client() {
        Map<String, String> kafka = readModel.kafka();
        return ClientConfig.of(kafka.getOrDefault("bootstrap.servers", "")).named("gateway").on(readModel.topics())
                .with(kafka);
    }
}
