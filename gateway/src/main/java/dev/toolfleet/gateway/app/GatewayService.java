package dev.toolfleet.gateway.app;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.gateway.access.Access;
import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Rejection;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.authorization.Authorizations;
import dev.toolfleet.gateway.calls.DeliverySchedule;
import dev.toolfleet.gateway.limits.RequestLedger;
import dev.toolfleet.gateway.readers.TopicLists;
import dev.toolfleet.gateway.readmodel.ReadModel;
import dev.toolfleet.gateway.rest.GatewayRoutes;
import dev.toolfleet.gateway.rest.McpRoute;
import dev.toolfleet.gateway.webhook.Webhooks;
import dev.toolfleet.http.FleetServer;
import dev.toolfleet.http.Health;
import dev.toolfleet.http.HealthRoute;
import dev.toolfleet.http.Route;
import dev.toolfleet.http.ServerLimits;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gateway: clients without Kafka announce steps, call tools and read results over HTTP.
///
/// **Contract.** Gateways of one group answer every request alike: a call is known by its place on `tool.call`, and the
/// read model answers for all partitions. So no request needs the gateway that took an earlier one.
///
/// **Threads.** Started and closed once, from any thread.
public final class GatewayService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayService.class);
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final GatewayConfig config;
    private final GatewayPages pages;
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final FleetServer server;
    private final Webhooks webhooks;
    private final Access access;
    private final ReadModel readModel;
    private @Nullable ClientFleet fleet;
    private @Nullable TopicLists lists;
    private @Nullable Authorizations authorizations;

    /// Makes a gateway that is not started yet. It binds its ports.
    ///
    /// @throws dev.toolfleet.http.PortException when a port cannot be bound
    public GatewayService(GatewayConfig config) {
        this(config, GatewayPages.NONE);
    }

    /// Makes a gateway with pages for people.
    ///
    /// @throws dev.toolfleet.http.PortException when a port cannot be bound
    public GatewayService(GatewayConfig config, GatewayPages pages) {
        this(config, pages, DeliverySchedule.DAY);
    }

    GatewayService(GatewayConfig config, GatewayPages pages, DeliverySchedule schedule) {
        this.config = config;
        this.pages = pages;
        this.server = new FleetServer(config.http(), ServerLimits.DEFAULT
                .withConnections(config.access().limits().connections())
                .withIdle(config.access().limits().slowClient()));
        this.access = new Access(config.access(), config.http(), config.internal().token(), url(),
                ctx -> config.oauth().flatMap(
                        secrets -> Authorizations.account(secrets.keys(), ctx.path(), ctx.queryParam("state"))),
                this::reject);
        this.webhooks = new Webhooks(config.webhooks(), meters);
        try {
            this.readModel = new ReadModel(config.readModel(), config.internal(), meters, webhooks, schedule);
        } catch (IllegalStateException e) {
            access.close();
            server.close();
            webhooks.close();
            throw e;
        }
    }

    /// Connects, restores the read model, and begins to answer. Requests that arrive before wait.
    ///
    /// @throws RuntimeException with one line for a person, when the broker cannot be reached or the read model is not
    ///         ready in time
    public synchronized void start() {
        ClientFleet connected = new ClientFleet(config.client());
        fleet = connected;
        readModel.start();
        TopicLists read = new TopicLists(config.client(), config.trust(), config.services());
        lists = read;
        read.start();
        GatewayRoutes routes = new GatewayRoutes(connected, readModel.reads(), read, config.webhooks(),
                InstantSource.system());
        Gauge.builder(GatewayMeters.READY, readModel, model -> model.notReady().isEmpty() ? 1 : 0).register(meters);
        Gauge.builder(GatewayMeters.STREAMS, access.ledger(), RequestLedger::streams).register(meters);
        Gauge.builder(GatewayMeters.OPEN_REQUESTS, access.ledger(), RequestLedger::requests).register(meters);
        List<Route> all = new ArrayList<>(routes.all());
        all.addAll(access.routes());
        config.oauth().ifPresent(secrets -> {
            Authorizations ends = new Authorizations(secrets, config.readModel().topics(), config.readModel().kafka());
            authorizations = ends;
            ends.start();
            all.add(ends.route());
        });
        all.add(new McpRoute(connected, readModel.reads(), read::resources, config.internal().token(),
                config.mcp()));
        all.addAll(pages.routes(new GatewayPages.Rooms(connected, readModel.reads(), read, access)));
        all.add(new HealthRoute("gateway", new ReadModelHealth(readModel)));
        all.add(metrics -> Route.read(metrics, "/metrics", ctx -> {
            var _ = Principal.of(ctx, Scope.FLEET_READ);
            ctx.contentType(METRICS_TYPE).result(meters.scrape());
        }));
        server.start(all, GatewayRoutes.PATHS, meters, access.admission());
        LOG.atInfo().addKeyValue("url", url()).log("gateway started");
    }

    private void reject(Rejection rejection) {
        meters.counter(GatewayMeters.REJECTED, GatewayMeters.REASON, rejection.tag()).increment();
    }

    private record ReadModelHealth(ReadModel model) implements Health {
        @Override
        public List<String> notReady() {
            return model.notReady();
        }

        @Override
        public boolean isAlive() {
            return !model.stopped().isDone();
        }
    }

    /// Returns `http://host:port` for clients.
    public String url() {
        return "http://" + server.reachedAt();
    }

    /// Returns the reasons why it is not ready, one clause each; empty when it is ready.
    public List<String> notReady() {
        return readModel.notReady();
    }

    /// Completes when the gateway has stopped: normally when it was closed, exceptionally when it cannot go on and its
    /// process should end.
    ///
    /// @throws IllegalStateException before the start
    public CompletableFuture<Void> stopped() {
        return readModel.stopped();
    }

    /// Stops answering, leaves the group, and disconnects, within about fifteen seconds. Closing again does nothing.
    @Override
    public synchronized void close() {
        try {
            server.close();
            access.close();
        } finally {
            readModel.close();
            if (lists != null)
                lists.close();
            webhooks.close();
            if (authorizations != null)
                authorizations.close();
            if (fleet != null)
                fleet.close();
            meters.close();
        }
    }
}
