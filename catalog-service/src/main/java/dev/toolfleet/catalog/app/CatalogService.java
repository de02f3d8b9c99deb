package dev.toolfleet.catalog.app;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.catalog.sweep.ContentSweep;
import dev.toolfleet.catalog.sweep.SweepLoop;
import dev.toolfleet.catalog.topology.CatalogTopology;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.FleetTopicsException;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.streams.StreamsRun;
import dev.toolfleet.streams.StreamsSettings;
import dev.toolfleet.streams.StreamsStartException;
import org.apache.kafka.clients.producer.ProducerConfig;

/// Answers every step that is announced on `agent.step` with its catalog. Several services of one group share the
/// partitions; a crashed one's steps are answered by the others, each exactly once.
///
/// Started and closed once, from any thread.
public final class CatalogService implements AutoCloseable {
    /// How long a start may take before it has failed.
    public static final Duration START_TIMEOUT = Duration.ofSeconds(12);

    private final CatalogConfig config;
    private final ResourceTable table = new ResourceTable();
    private final StreamsRun run;
    private final SweepLoop sweeps;

    /// A service that is not started yet.
    public CatalogService(CatalogConfig config) {
        this.config = config;
        this.run = new StreamsRun("the catalog service",
                CatalogTopology.of(config.topics(), table, config.retention()), new StreamsSettings(
                        config.applicationId(), config.stateDir(), config.replication(), compressed(config.kafka())));
        ContentSweep sweep = new ContentSweep(config.topics(), config.kafka(), config.applicationId() + "-sweep",
                config.retention(), Clock.systemUTC());
        this.sweeps = new SweepLoop(() -> run.owns(0), sweep::run, SweepLoop.LOOK_EVERY,
                SweepLoop.interval(config.retention()));
    }

    /// Step catalogs are names and digests, most of which repeat.
    private static Map<String, String> compressed(Map<String, String> kafka) {
        Map<String, String> properties = new HashMap<>(kafka);
        properties.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        return properties;
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
            sweeps.start();
        } catch (FleetTopicsException | StreamsStartException e) {
            throw new CatalogStartException(String.valueOf(e.getMessage()), e);
        }
    }

    /// What every bundle shows now.
    public FleetResources resources() {
        return table.view();
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
        sweeps.close();
        run.close();
    }
}
