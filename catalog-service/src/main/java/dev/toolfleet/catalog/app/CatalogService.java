package dev.toolfleet.catalog.app;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.toolfleet.catalog.assemble.BundlePolicy;
import dev.toolfleet.catalog.middleware.ReloadLoop;
import dev.toolfleet.catalog.middleware.StepExtensions;
import dev.toolfleet.catalog.sweep.ContentSweep;
import dev.toolfleet.catalog.sweep.SweepLoop;
import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.catalog.topology.CatalogTopology;
import dev.toolfleet.catalog.topology.ContentTable;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.PartitionCounts;
import dev.toolfleet.client.topics.TopicRole;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.streams.StreamsRun;
import dev.toolfleet.streams.StreamsSettings;
import dev.toolfleet.topic.Topic;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.Topology;

/// Service that answers every step announced on `agent.step` with its catalog.
///
/// **Contract.** Services of one group share the partitions. The others answer the steps of a crashed one, each exactly
/// once.
///
/// **Threads.** Started and closed once, from any thread.
public final class CatalogService implements AutoCloseable {
    /// The longest time of a start. After a crash it includes the session of the dead member, its open transaction, and
    /// the reading of its stores.
    public static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private final CatalogConfig config;
    private final ResourceTable table;
    private final StepFaults faults = new StepFaults(InstantSource.system());
    private final StepExtensions extensions;
    private final ReloadLoop reloads;
    private final StreamsRun run;
    private final Optional<HttpSide> http;
    private final SweepLoop sweeps;

    /// Makes a service without HTTP that is not started yet.
    public CatalogService(CatalogConfig config) {
        this(config, Optional.empty());
    }

    /// Makes a service that is not started yet. It binds its HTTP port.
    ///
    /// @param http its HTTP settings; empty for no HTTP
    /// @throws CatalogStartException when the port cannot be bound
    public CatalogService(CatalogConfig config, Optional<HttpConfig> http) {
        this(config, config.bundles()::resolve, http);
    }

    /// Makes a service that is not started yet. It binds its HTTP port.
    ///
    /// @param bundles the folder of a bundle's files, instead of [CatalogConfig#bundles()]
    /// @param http its HTTP settings; empty for no HTTP
    /// @throws CatalogStartException when the port cannot be bound
    public CatalogService(CatalogConfig config, Function<String, Path> bundles, Optional<HttpConfig> http) {
        this.config = config;
        this.table = new ResourceTable(config.trust());
        this.http = http.map(CatalogService::bound);
        this.extensions = new StepExtensions(CatalogModules.of(bundles));
        this.reloads = new ReloadLoop(extensions);
        this.run = new StreamsRun("the catalog service", topology(), new StreamsSettings(config.applicationId(),
                config.stateDir(), config.replication(), clients()));
        ContentSweep sweep = new ContentSweep(config.topics(), config.kafka(), config.applicationId() + "-sweep",
                config.retention(), Clock.systemUTC());
        this.sweeps = new SweepLoop(() -> run.owns(0), sweep::run, SweepLoop.LOOK_EVERY,
                SweepLoop.interval(config.retention()));
    }

    private Topology topology() {
        Topology topology = CatalogTopology.of(config.topics(), table, reloads::reload, extensions, new BundlePolicy(),
                faults, config.retention());
        if (http.isPresent())
            ContentTable.addTo(topology, config.topics());
        return topology;
    }

    /// Returns the properties of its Kafka clients. Step catalogs are compressed: they are names and digests, and most
    /// of these repeat.
    private Map<String, String> clients() {
        Map<String, String> properties = new HashMap<>(config.kafka());
        properties.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        return http.map(side -> side.advertise(properties)).orElse(properties);
    }

    private static HttpSide bound(HttpConfig http) {
        try {
            return new HttpSide(http);
        } catch (IllegalStateException e) {
            throw new CatalogStartException(String.valueOf(e.getMessage()), e);
        }
    }

    /// Checks the fleet's topics, reads `tool.resource` to its end, joins the group and returns when steps are being
    /// answered.
    ///
    /// @throws CatalogStartException when it is not ready within [#START_TIMEOUT]; nothing runs then
    public void start() {
        long giveUp = System.nanoTime() + START_TIMEOUT.toNanos();
        try {
            Optional<OwnSteps> steps = http
                    .map(side -> side.start(run, config.topics().name(Topic.STEP), table, faults,
                            extensions.threads(), this::notReady));
            PartitionCounts counts = new FleetTopics(config.topics(), new HashMap<>(config.kafka()),
                    FleetTopics.DEFAULT_TIMEOUT).check(TopicRole.CATALOG);
            steps.ifPresent(found -> found.partitions(counts.of(Topic.STEP)));
            run.start(Duration.ofNanos(giveUp - System.nanoTime()));
            http.ifPresent(side -> side.started(run));
            sweeps.start();
            reloads.start();
        } catch (RuntimeException e) {
            close();
            throw new CatalogStartException(String.valueOf(e.getMessage()), e);
        }
    }

    /// Returns the present resources of every bundle.
    public FleetResources resources() {
        return table.view();
    }

    /// Returns the Extensions that could not be loaded, with the reason, by their place in a list. The catalogs of
    /// these agents show no tools. A service with such problems, or with a rejected bundle, is not ready. It tries
    /// again by itself.
    public Map<String, String> problems() {
        return extensions.problems();
    }

    /// Number of failures of layers, by extension; a forbidden tool in a list counts too.
    public Map<String, Long> faults() {
        return faults.counts();
    }

    /// Returns its HTTP address as `http://host:port`; empty without HTTP.
    public Optional<String> url() {
        return http.map(HttpSide::url);
    }

    /// Returns the reasons why it is not ready, one clause each: it answers no steps now, rejects a bundle, or cannot
    /// load an extension. Empty when it is ready.
    public List<String> notReady() {
        if (run.isRunning()) {
            return Stream.concat(
                    Stream.of(table.refused(), table.incomplete()).flatMap(bundles -> bundles.entrySet().stream())
                            .map(refused -> "bundle " + refused.getKey() + ": " + refused.getValue()),
                    problems().entrySet().stream()
                            .map(problem -> "extension " + problem.getKey() + ": " + problem.getValue()))
                    .toList();
        }
        if (run.stopped().isDone())
            return List.of("it has stopped");
        return List.of(run.streams().isEmpty()
                ? "it has not started yet"
                : "its partitions are being assigned, or their state is read back");
    }

    /// Number of threads that died and were replaced.
    public int replacedThreads() {
        return run.replacedThreads();
    }

    /// Completes when the service has stopped: normally when it was closed, exceptionally when it cannot go on and its
    /// process should end.
    public CompletableFuture<Void> stopped() {
        return run.stopped();
    }

    /// Leaves the group and stops, within about ten seconds. The next owner answers the uncommitted steps. Closing
    /// again does nothing.
    @Override
    public void close() {
        try {
            sweeps.close();
            run.close();
        } finally {
            reloads.close();
            http.ifPresent(HttpSide::close);
        }
    }

    /// Failure of the catalog service's start. The message is one line for a person: the problem and the way out.
    public static final class CatalogStartException extends RuntimeException {
        CatalogStartException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
