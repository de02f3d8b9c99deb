package dev.toolfleet.catalog.http;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.http.BearerToken;
import dev.toolfleet.http.FleetServer;
import dev.toolfleet.http.HealthRoute;
import dev.toolfleet.http.HostPort;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.http.MetricsRoute;
import dev.toolfleet.http.Route;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.jspecify.annotations.Nullable;

/// HTTP server of the catalog service. It holds its port from its construction on.
///
/// **Threads.** Made, started and closed once; [#close] from any thread.
public final class CatalogServer implements AutoCloseable {
    /// The section of its settings.
    public static final String SECTION = "catalog.http";
    /// The default port.
    public static final int DEFAULT_PORT = 7070;
    private static final Duration PEERS_PATIENCE = Duration.ofSeconds(2);
    private static final String PATHS = "There are /v1/instances/{instanceKey}/agents/{agent}/catalog,"
            + " /v1/instances/{instanceKey}/agents/{agent}/prompt, /v1/resources,"
            + " /v1/agents, /v1/agents/{agent}, /health/live, /health/ready and /metrics; a '/' in a name is %2F.";

    private final FleetServer server;
    private final Optional<BearerToken> token;
    private final Duration peersPatience;
    private @Nullable Peers peers;

    /// Binds the port.
    ///
    /// @throws IllegalStateException with one line for a person, when the port cannot be bound
    public CatalogServer(HttpConfig config) {
        this(config, PEERS_PATIENCE);
    }

    CatalogServer(HttpConfig config, Duration peersPatience) {
        this.peersPatience = peersPatience;
        this.server = new FleetServer(config);
        this.token = config.token();
    }

    /// Returns the address for clients and other services.
    public HostPort reachedAt() {
        return server.reachedAt();
    }

    /// Starts to answer.
    ///
    /// @param steps of this service's partitions
    /// @param service the resources and the health of this service
    /// @param meters the meters of `/metrics`; requests are counted there
    /// @param clock decides about leases
    public synchronized void start(Steps steps, Declarations service, PrometheusMeterRegistry meters,
            InstantSource clock) {
        Peers others = new Peers(token, peersPatience);
        peers = others;
        List<Route> routes = List.of(new CatalogRoute(steps, others, service, clock), new ResourceRoute(service, clock),
                new AgentRoute(service, clock), new HealthRoute("service", service), new MetricsRoute(meters::scrape));
        server.start(routes, PATHS, meters);
    }

    /// Stops answering and releases the port, also in an interrupted thread. Closing again does nothing.
    @Override
    public synchronized void close() {
        server.close();
        if (peers != null)
            peers.close();
    }
}
