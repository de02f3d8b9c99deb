package dev.toolfleet.sessions.http;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.toolfleet.http.BearerToken;
import dev.toolfleet.http.FleetServer;
import dev.toolfleet.http.Health;
import dev.toolfleet.http.HealthRoute;
import dev.toolfleet.http.HostPort;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.http.MetricsRoute;
import dev.toolfleet.http.Route;
import dev.toolfleet.streams.StreamsRun;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.jspecify.annotations.Nullable;

/// HTTP server of the session service. It holds its port from its construction on.
///
/// **Threads.** Made, started and closed once; [#close] from any thread.
public final class SessionServer implements AutoCloseable {
    /// The section of its settings.
    public static final String SECTION = "session.http";
    /// The default port.
    public static final int DEFAULT_PORT = 7074;
    private static final String PATHS = "There are /v1/instances/{instanceKey}/agents/{agent}/messages,"
            + " /v1/instances/{instanceKey}/agents/{agent}/session, /health/live, /health/ready and /metrics;"
            + " a '/' in a name is %2F.";

    private final FleetServer server;
    private final Optional<BearerToken> token;
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private @Nullable SessionFinder finder;

    /// Binds the port.
    ///
    /// @throws IllegalStateException with one line for a person, when the port cannot be bound
    public SessionServer(HttpConfig config) {
        this.server = new FleetServer(config);
        this.token = config.token();
    }

    /// Returns the address for clients and other services.
    public HostPort reachedAt() {
        return server.reachedAt();
    }

    /// Starts to answer; at first the service is not ready.
    ///
    /// @param notReady returns the reasons why the service is not ready; empty when it is
    public synchronized void start(StreamsRun run, Supplier<List<String>> notReady) {
        SessionFinder sessions = new SessionFinder(run, server.reachedAt(), token);
        finder = sessions;
        Gauge.builder(SessionMeters.READY, notReady, reasons -> reasons.get().isEmpty() ? 1 : 0).register(meters);
        Health health = new Health() {
            @Override
            public List<String> notReady() {
                return notReady.get();
            }

            @Override
            public boolean isAlive() {
                return !run.stopped().isDone();
            }
        };
        List<Route> routes = List.of(new SessionRoute(sessions), new HealthRoute("service", health),
                new MetricsRoute(meters::scrape));
        server.start(routes, PATHS, meters);
    }

    /// Stops answering and releases the port. Closing again does nothing.
    @Override
    public synchronized void close() {
        server.close();
        if (finder != null)
            finder.close();
        meters.close();
    }
}
