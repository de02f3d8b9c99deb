package dev.toolfleet.cli.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.toolfleet.catalog.app.CatalogService;
import dev.toolfleet.cli.bundle.AppliedRevision;
import dev.toolfleet.cli.bundle.BuiltInBundle;
import dev.toolfleet.cli.bundle.BundlePublisher;
import dev.toolfleet.cli.bundle.LocalBundle;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.embedded.EmbeddedKafka;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.app.Worker;
import dev.toolfleet.worker.app.WorkerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Broker, catalog service and worker in this JVM, with the built-in bundle and those of the plan applied. Ready when
/// [#start] returns. Started and closed by one thread; [#apply] by any.
public final class OneJvmFleet implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OneJvmFleet.class);
    private static final Duration WORKER_READY = Duration.ofSeconds(15);

    private final FleetPlan plan;
    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    private final Map<String, Path> folders = new ConcurrentHashMap<>();
    private final Map<String, AppliedRevision> applied = new ConcurrentHashMap<>();
    private final EmbeddedKafka broker;
    private final FleetConfig config;

    private OneJvmFleet(FleetPlan plan, EmbeddedKafka broker) {
        this.plan = plan;
        this.broker = broker;
        Map<String, String> flags = new HashMap<>(plan.settings());
        flags.put("kafka.bootstrapServers", broker.bootstrapServers());
        flags.putIfAbsent("worker.workspace.root", plan.workspace().toString());
        this.config = FleetConfig.load(null, Map.of(), flags);
        running.push(broker);
    }

    /// Starts everything.
    ///
    /// @throws RuntimeException with one line for a person; nothing runs then
    public static OneJvmFleet start(FleetPlan plan, Progress progress) {
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

    private void startMembers(Progress progress) {
        progress.doing("creating topics");
        new FleetTopics(config.topics().topics(), config.kafka().clientProperties(), FleetTopics.DEFAULT_TIMEOUT)
                .create(OptionalInt.of(FleetPlan.PARTITIONS), OptionalInt.of(1));
        progress.doing("applying bundles");
        apply(BuiltInBundle.read());
        plan.bundles().forEach(this::apply);
        progress.doing("starting catalog service and worker");
        TempFolder state = TempFolder.create();
        running.push(state);
        CatalogService catalog = new CatalogService(CatalogSettings.of(config, state.path()));
        WorkerConfig workerConfig = WorkerConfig.of(config.kafka(), config.topics().topics(), config.worker(),
                "worker-1", name -> folders.getOrDefault(name, plan.workspace()));
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<?> catalogStart = threads.submit(() -> {
                catalog.start();
                synchronized (running) {
                    running.push(catalog);
                }
            });
            Future<?> workerStart = threads.submit(() -> {
                Worker worker = Worker.start(workerConfig);
                synchronized (running) {
                    running.push(worker);
                }
                awaitReady(worker);
            });
            await(catalogStart);
            await(workerStart);
        }
    }

    private static void awaitReady(Worker worker) {
        try {
            if (!worker.awaitReady(WORKER_READY)) {
                Map<String, String> problems = worker.problems();
                throw Failure.failed(problems.isEmpty()
                        ? "the worker was not ready within " + WORKER_READY.toSeconds() + " s"
                        : "the worker could not load " + problems);
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
                config.kafka().clientProperties(), InstantSource.system()).publish(bundle.name(), bundle.declared());
        applied.put(bundle.name(), revision);
        return revision;
    }

    /// `host:port` of the broker.
    public String bootstrapServers() {
        return broker.bootstrapServers();
    }

    /// The configuration that everything runs with.
    public FleetConfig config() {
        return config;
    }

    /// What is applied, by the bundles' names.
    public Map<String, AppliedRevision> applied() {
        return Map.copyOf(applied);
    }

    /// For a client of this fleet.
    public ClientConfig clientConfig(String name) {
        return ClientConfig.of(bootstrapServers()).named(name).on(config.topics().topics());
    }

    /// Stops everything in the reverse order.
    @Override
    public void close() {
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
