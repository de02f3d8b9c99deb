package dev.toolfleet.catalog.app;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import dev.toolfleet.catalog.assemble.BundlePolicy;
import dev.toolfleet.catalog.middleware.StepExtensions;
import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.catalog.topology.CatalogTopology;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.FleetTopicsException;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.streams.StreamsRun;
import dev.toolfleet.streams.StreamsSettings;
import dev.toolfleet.streams.StreamsStartException;

/// Answers every step that is announced on `agent.step` with its catalog. Several services of one group share the
/// partitions; a crashed one's steps are answered by the others, each exactly once.
///
/// Started and closed once, from any thread.
public final class CatalogService implements AutoCloseable {
    /// How long a start may take before it has failed.
    public static final Duration START_TIMEOUT = Duration.ofSeconds(12);

    private final CatalogConfig config;
    private final ResourceTable table = new ResourceTable();
    private final StepFaults faults = new StepFaults(InstantSource.system());
    private final StepExtensions extensions;
    private final StreamsRun run;

    /// A service that is not started yet.
    public CatalogService(CatalogConfig config) {
        this(config, config.bundles()::resolve);
    }

    /// A service that is not started yet.
    ///
    /// @param bundles where a bundle's files lie, instead of [CatalogConfig#bundles()]
    public CatalogService(CatalogConfig config, Function<String, Path> bundles) {
        this.config = config;
        this.extensions = new StepExtensions(CatalogModules.of(bundles));
        this.run = new StreamsRun("the catalog service",
                CatalogTopology.of(config.topics(), table, extensions, new BundlePolicy(), faults,
                        config.retention()),
                new StreamsSettings(config.applicationId(), config.stateDir(), config.replication(), config.kafka()));
    }

    /// Checks the fleet's topics, reads `tool.resource` to its end, joins the group and returns when steps are being
    /// answered.
    ///
    /// @throws CatalogStartException when that has not come about within [#START_TIMEOUT]; nothing runs then
    public void start() {
        long giveUp = System.nanoTime() + START_TIMEOUT.toNanos();
        try {
            new FleetTopics(config.topics(), new HashMap<>(config.kafka()), FleetTopics.DEFAULT_TIMEOUT).check();
            run.start(Duration.ofNanos(giveUp - System.nanoTime()));
        } catch (FleetTopicsException | StreamsStartException e) {
            throw new CatalogStartException(String.valueOf(e.getMessage()), e);
        }
    }

    /// What every bundle shows now.
    public FleetResources resources() {
        return table.view();
    }

    /// Extensions that could not be loaded and why, by who lists them. The catalogs of these agents show no tools; a
    /// service that has such problems is not ready.
    public Map<String, String> problems() {
        return extensions.problems();
    }

    /// How many times a layer failed, or showed what it may not, by extension.
    public Map<String, Long> faults() {
        return faults.counts();
    }

    /// How many of its threads died and were replaced.
    public int replacedThreads() {
        return run.replacedThreads();
    }

    /// Completes when the service has stopped: normally when it was closed, exceptionally when it cannot go on and its
    /// process should end.
    public CompletableFuture<Void> stopped() {
        return run.stopped();
    }

    /// Leaves the group and stops, within about ten seconds; what was not committed is answered by the next owner.
    /// Closing again does nothing.
    @Override
    public void close() {
        run.close();
        extensions.close();
    }
}
