package dev.toolfleet.worker.app;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.http.FleetServer;
import dev.toolfleet.http.Health;
import dev.toolfleet.http.HealthRoute;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.http.MetricsRoute;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.Route;
import dev.toolfleet.worker.telemetry.LogKeys;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// HTTP server of a worker: health, metrics, and the routes that [#routes] lists. It holds its port from the
/// moment it is made, and answers while the worker starts and drains.
///
/// Made, started and closed once.
final class WorkerHttp implements Health, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerHttp.class);
    /// The answer for other paths.
    private static final String PATHS = "There are /health/live, /health/ready, /metrics, /v1/calls,"
            + " /v1/calls?instance=KEY and /v1/hosts.";

    private final FleetServer server;
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicReference<@Nullable Wiring> worker = new AtomicReference<>();

    private WorkerHttp(FleetServer server) {
        this.server = server;
    }

    /// Takes the port.
    ///
    /// @throws ConfigException when it cannot be had
    static WorkerHttp open(HttpConfig config) {
        try {
            return new WorkerHttp(new FleetServer(config));
        } catch (IllegalStateException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    /// Routes of the server. A route that needs the worker's parts reads [#parts] at each request.
    private List<Route> routes() {
        return List.of(new HealthRoute("worker", this), new MetricsRoute(meters::scrape),
                new CallsRoute(() -> parts().shown()), new HostsRoute(() -> parts().hosts()));
    }

    /// The worker that was started.
    ///
    /// @throws ProblemException for a request that came before
    Wiring parts() {
        Wiring parts = worker.get();
        if (parts == null)
            throw new ProblemException(Problem.notReady("The worker has not started yet. Ask again in a second.",
                    List.of()));
        return parts;
    }

    /// For the worker's meters.
    MeterRegistry registry() {
        return meters;
    }

    /// `http://host:port`.
    String url() {
        return "http://" + server.reachedAt();
    }

    /// Begins to answer, first of all that the worker is not ready.
    void start() {
        bindProcess();
        server.start(routes(), PATHS, meters);
        LOG.atInfo().addKeyValue(LogKeys.URL, url()).log("worker answers over HTTP");
    }

    @SuppressWarnings("resource") // They have nothing to close.
    private void bindProcess() {
        new JvmMemoryMetrics().bindTo(meters);
        new JvmThreadMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);
    }

    /// Reports that the worker runs.
    void started(Wiring parts) {
        worker.set(parts);
    }

    @Override
    public List<String> notReady() {
        Wiring parts = worker.get();
        return parts == null ? List.of("it has not started yet") : parts.readiness().reasons();
    }

    @Override
    public boolean isAlive() {
        Wiring parts = worker.get();
        return parts == null || !parts.loops().ended().isDone();
    }

    @Override
    public void close() {
        server.close();
        meters.close();
    }
}
