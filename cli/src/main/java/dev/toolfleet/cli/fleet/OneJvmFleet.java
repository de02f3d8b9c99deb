package dev.toolfleet.cli.fleet;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.catalog.app.CatalogConfig;
import dev.toolfleet.catalog.app.CatalogService;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.config.KafkaConfig;
import dev.toolfleet.embedded.EmbeddedKafka;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;
import dev.toolfleet.gateway.access.BrowserSessions;
import dev.toolfleet.gateway.app.GatewayConfig;
import dev.toolfleet.gateway.app.GatewayPages;
import dev.toolfleet.gateway.app.GatewayService;
import dev.toolfleet.gateway.readers.ServiceAddress;
import dev.toolfleet.gateway.readers.ServiceAddresses;
import dev.toolfleet.http.BearerToken;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.publishing.apply.AppliedRevision;
import dev.toolfleet.publishing.apply.BuiltInBundle;
import dev.toolfleet.publishing.apply.BundlePublisher;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.sessions.app.SessionConfig;
import dev.toolfleet.sessions.app.SessionService;
import dev.toolfleet.sessions.http.SessionServer;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.app.Worker;
import dev.toolfleet.worker.app.WorkerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Broker, catalog service, worker, gateway and session service in this JVM, with the built-in bundle and those of the plan applied. Ready
/// when [#start] returns. Started and closed by one thread; [#apply] by any.
public final class OneJvmFleet implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OneJvmFleet.class);
    /// On a machine that does nothing else it takes some 4 s; one that builds and tests takes long.
    private static final Duration WORKER_READY = Duration.ofSeconds(60);
    /// The same of its broker and of catalogs.
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);
    /// A person who stops such a fleet waits for it: its handlers are not given the half minute of a fleet that goes
    /// on.
    private static final String DRAIN = "2s";
    private static final String WORKER = "worker-1";
    private static final int MEMBERS = 4;
    /// Setting with the HTTP port of the catalog service; without it there is none.
    public static final String HTTP_PORT = "catalog.http.port";
    /// Setting with the HTTP port of the worker; without it there is none.
    public static final String WORKER_HTTP_PORT = "worker.http.port";
    /// Setting with the HTTP port of the gateway; `off` for no gateway.
    public static final String GATEWAY_HTTP_PORT = GatewayConfig.SECTION + ".port";
    /// Setting with the HTTP port of the session service; `off` for no session service.
    public static final String SESSION_HTTP_PORT = SessionServer.SECTION + ".port";
    /// Setting with the gateway's port for other gateways.
    public static final String GATEWAY_INTERNAL_PORT = GatewayConfig.INTERNAL_SECTION + ".port";

    private final FleetPlan plan;
    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    private final Map<String, Path> folders = new ConcurrentHashMap<>();
    private final Map<String, AppliedRevision> applied = new ConcurrentHashMap<>();
    private final TempFolder state;
    private final EmbeddedKafka broker;
    private final FleetConfig config;
    private Optional<String> catalogUrl = Optional.empty();
    private volatile Optional<String> workerUrl = Optional.empty();
    private volatile Optional<String> gatewayUrl = Optional.empty();
    private volatile Optional<String> sessionUrl = Optional.empty();

    private OneJvmFleet(FleetPlan plan, EmbeddedKafka broker) {
        this.plan = plan;
        this.broker = broker;
        this.state = TempFolder.create();
        this.config = config(plan.settings(), plan.workspace(), state.path(), broker.bootstrapServers());
        running.push(state);
        running.push(broker);
    }

    private static FleetConfig config(Map<String, String> settings, Path workspace, Path state,
            String bootstrapServers) {
        Map<String, String> flags = new HashMap<>(settings);
        flags.put("kafka.bootstrapServers", bootstrapServers);
        flags.putIfAbsent("worker.workspace.root", workspace.toString());
        flags.putIfAbsent("worker.drain.timeout", DRAIN);
        // Who tries things out on his own machine trusts himself, and need not install walls first.
        flags.putIfAbsent("worker.sandbox.mode", "preferred");
        flags.putIfAbsent("worker.completion.stateDir", state.resolve("handles").toString());
        // HTTP is served where a setting names a port; commands that end by themselves have no clients.
        flags.putIfAbsent(HTTP_PORT, HttpConfig.OFF);
        flags.putIfAbsent(WORKER_HTTP_PORT, HttpConfig.OFF);
        // A gateway is there to be called: it has a port that is free.
        flags.putIfAbsent(GATEWAY_HTTP_PORT, "0");
        flags.putIfAbsent(GATEWAY_INTERNAL_PORT, "0");
        flags.putIfAbsent(SESSION_HTTP_PORT, HttpConfig.OFF);
        return FleetConfig.load(null, Map.of(), flags);
    }

    /// Checks the settings of a plan before anything is written or started for it.
    ///
    /// @throws dev.toolfleet.config.ConfigException when one cannot be used
    public static void check(Map<String, String> settings) {
        Path anywhere = Path.of(".");
        FleetConfig config = config(settings, anywhere, anywhere, KafkaConfig.DEFAULT_BOOTSTRAP);
        CatalogSettings.of(config);
        WorkerConfig.of(config.kafka(), config.topics(), config.worker(), WORKER, name -> anywhere);
        GatewaySettings.of(config);
        SessionSettings.of(config);
    }

    /// Starts everything.
    ///
    /// @throws dev.toolfleet.config.ConfigException when a setting cannot be used; nothing was started then
    /// @throws RuntimeException with one line for a person; nothing runs then
    public static OneJvmFleet start(FleetPlan plan, ProgressNote progress) {
        check(plan.settings());
        progress.doing("starting the broker");
        EmbeddedKafkaConfig broker = EmbeddedKafkaConfig.temporary().withPort(plan.port())
                .withPartitions(FleetPlan.PARTITIONS);
        OneJvmFleet fleet = new OneJvmFleet(plan,
                EmbeddedKafka.start(plan.data().map(broker::withData).orElse(broker)));
        try {
            fleet.startMembers(progress);
            progress.doing("");
            return fleet;
        } catch (RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    private void startMembers(ProgressNote progress) {
        progress.doing("creating topics");
        new FleetTopics(config.topics().topics(), config.kafka().clientProperties(), PATIENCE)
                .create(OptionalInt.of(FleetPlan.PARTITIONS), OptionalInt.of(1));
        progress.doing("applying bundles");
        apply(BuiltInBundle.read());
        List<LocalBundle> bundles = plan.bundles().apply(broker.bootstrapServers());
        bundles.forEach(this::apply);
        Optional<Path> oauthKey = bundles.stream().anyMatch(OneJvmFleet::hasOAuthApp)
                ? OAuthKeys.usual(state.path())
                : Optional.empty();
        progress.doing("starting catalog service, worker, gateway and session service");
        Function<String, Path> bundleFolders = name -> folders.getOrDefault(name, plan.workspace());
        CatalogConfig catalogConfig = CatalogSettings.of(config, state.path());
        CatalogService catalog = new CatalogService(
                plan.signer().isPresent() ? catalogConfig : catalogConfig.trustingAll(), bundleFolders,
                CatalogSettings.http(config));
        catalogUrl = catalog.url();
        Optional<SessionService> sessions = sessions();
        sessionUrl = sessions.flatMap(SessionService::url);
        WorkerConfig asSet = WorkerConfig.of(config.kafka(), config.topics(), config.worker(), WORKER,
                bundleFolders::apply);
        Optional<GatewayService> gateway = GatewaySettings.of(config, state.path().resolve("gateway"))
                .map(own -> gateway(OAuthKeys.in(own, oauthKey)));
        WorkerConfig authorizing = asSet.authorizing(oauthKey, gateway.map(own -> URI.create(own.url())));
        startTogether(catalog, sessions, gateway, plan.signer().isPresent() ? authorizing : authorizing.trustingAll());
        if (!catalog.problems().isEmpty())
            throw LoadProblems.failure(catalog.problems());
    }

    private static boolean hasOAuthApp(LocalBundle bundle) {
        return bundle.declared().stream()
                .anyMatch(one -> one.resource().path("kind").asString("").equals(Kinds.OAUTH_APP));
    }

    private void startTogether(CatalogService catalog, Optional<SessionService> sessions,
            Optional<GatewayService> gateway, WorkerConfig workerConfig) {
        long giveUp = System.nanoTime() + WORKER_READY.toNanos();
        try (ExecutorService threads = Executors.newFixedThreadPool(MEMBERS)) {
            List<Future<?>> starts = List.of(threads.submit(() -> {
                Worker worker = Worker.serve(workerConfig);
                workerUrl = worker.url();
                push(worker);
                awaitReady(worker, giveUp);
            }), threads.submit(() -> {
                catalog.start();
                push(catalog);
            }), threads.submit(() -> gateway.ifPresent(this::startGateway)),
                    threads.submit(() -> sessions.ifPresent(this::start)));
            try {
                starts.forEach(OneJvmFleet::await);
            } catch (RuntimeException e) {
                threads.shutdownNow();
                throw e;
            }
        }
    }

    /// Returns the gateway, which is not started and holds its port.
    private GatewayService gateway(GatewayConfig gatewayConfig) {
        GatewayConfig asSet = plan.signer().isPresent() ? gatewayConfig : gatewayConfig.trustingAll();
        Optional<BearerToken> token = CatalogSettings.http(config).flatMap(HttpConfig::token);
        Optional<BearerToken> sessionToken = SessionSettings.http(config).flatMap(HttpConfig::token);
        ServiceAddresses services = new ServiceAddresses(
                catalogUrl.map(url -> new ServiceAddress(URI.create(url), token)),
                sessionUrl.map(url -> new ServiceAddress(URI.create(url), sessionToken)));
        GatewayPages pages = plan.pages().filter(own -> GatewaySettings.hasConsole(config))
                .map(own -> own.of(config, () -> workerUrl.map(URI::create).stream().toList()))
                .orElse(GatewayPages.NONE);
        GatewayService gateway = new GatewayService(asSet.withServices(services), pages);
        push(gateway);
        return gateway;
    }

    private void startGateway(GatewayService gateway) {
        gateway.start();
        gatewayUrl = Optional.of(gateway.url());
    }

    /// Returns the session service, which is not started and holds its port; empty without HTTP.
    private Optional<SessionService> sessions() {
        SessionConfig asSet = SessionSettings.of(config, state.path().resolve("session"));
        Optional<HttpConfig> http = SessionSettings.http(config);
        return http.map(
                own -> new SessionService(plan.signer().isPresent() ? asSet : asSet.trustingAll(), Optional.of(own)));
    }

    private void start(SessionService sessions) {
        push(sessions);
        sessions.start();
    }

    private void push(AutoCloseable member) {
        synchronized (running) {
            running.push(member);
        }
    }

    /// The bundles were applied before the worker started, so that what it cannot load now it never will.
    private static void awaitReady(Worker worker, long giveUp) {
        try {
            while (!worker.awaitReady(LOOK_EVERY)) {
                if (!worker.problems().isEmpty())
                    throw LoadProblems.failure(worker.problems());
                if (worker.ended().isDone())
                    throw Failure.failed("the worker ended while it started; --verbose shows why");
                if (System.nanoTime() - giveUp > 0)
                    throw Failure.failed("the worker was not ready within " + WORKER_READY.toSeconds()
                            + " s (" + String.join("; ", worker.notReady())
                            + "); is this machine overloaded? --verbose shows what it waited for");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("interrupted while the worker started", e);
        }
    }

    private static void await(Future<?> start) {
        try {
            start.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("interrupted while the fleet started", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause)
                throw cause;
            throw new IllegalStateException(e.getCause());
        }
    }

    /// Applies a bundle, the first time or again.
    public AppliedRevision apply(LocalBundle bundle) {
        folders.put(bundle.name(), bundle.folder().toAbsolutePath().normalize());
        AppliedRevision revision = new BundlePublisher(config.topics().topics().name(Topic.RESOURCE),
                config.kafka().clientProperties(), InstantSource.system()).publish(bundle.name(), bundle.declared(),
                        plan.signer().orElse(null));
        applied.put(bundle.name(), revision);
        return revision;
    }

    /// `host:port` of the broker.
    public String bootstrapServers() {
        return broker.bootstrapServers();
    }

    /// HTTP address of the catalog service; empty if it has none.
    public Optional<String> catalogUrl() {
        return catalogUrl;
    }

    /// HTTP address of the worker; empty if it has none.
    public Optional<String> workerUrl() {
        return workerUrl;
    }

    /// HTTP address of the gateway; empty if there is none.
    public Optional<String> gatewayUrl() {
        return gatewayUrl;
    }

    /// Address of the console in a browser; empty if there is none.
    public Optional<String> consoleUrl() {
        return gatewayUrl.filter(url -> plan.pages().isPresent() && GatewaySettings.hasConsole(config))
                .map(url -> url + BrowserSessions.PAGES);
    }

    /// HTTP address of the session service; empty if there is none.
    public Optional<String> sessionUrl() {
        return sessionUrl;
    }

    /// The configuration that everything runs with.
    public FleetConfig config() {
        return config;
    }

    /// Applied revisions by the bundles' names.
    public Map<String, AppliedRevision> applied() {
        return Map.copyOf(applied);
    }

    /// For a client of this fleet.
    public ClientConfig clientConfig(String name) {
        return ClientConfig.of(bootstrapServers()).named(name).on(config.topics().topics()).waitingForBroker(PATIENCE)
                .waitingForCatalogs(PATIENCE);
    }

    /// Stops everything in the reverse order, also for a thread that was interrupted.
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        closeAll();
        if (interrupted)
            Thread.currentThread().interrupt();
    }

    private void closeAll() {
        while (true) {
            AutoCloseable next;
            synchronized (running) {
                next = running.poll();
            }
            if (next == null)
                return;
            try {
                next.close();
            } catch (Exception e) {
                LOG.warn("a part of the fleet did not stop cleanly; part={}", next.getClass().getSimpleName(), e);
            }
        }
    }
}
