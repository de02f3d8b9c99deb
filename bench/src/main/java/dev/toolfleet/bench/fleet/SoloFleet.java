package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.BrokerProcess;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;

/// A broker and one worker, each in a process of its own. The worker's deduplication windows are small, so that they
/// are full soon, and later growth is a leak.
///
/// Used by one thread.
public final class SoloFleet implements AutoCloseable {
    private static final int PARTITIONS = 12;
    private static final int WINDOW = 1_000;
    private static final Duration READY = Duration.ofSeconds(60);
    private static final Duration DRAIN = Duration.ofSeconds(60);

    private final BrokerProcess broker;
    private final Path root;
    private ChildJvm worker;
    private int workers;

    private SoloFleet(BrokerProcess broker, Path root) {
        this.broker = broker;
        this.root = root;
        this.worker = launch();
    }

    /// Starts both; ready when it returns.
    ///
    /// @param root an empty folder for all that they write
    /// @param module handlers of the tools of [BenchBundle]
    /// @throws IllegalStateException when a process does not become ready; nothing runs then
    public static SoloFleet start(Path root, Class<? extends ToolModule> module)
            throws IOException, InterruptedException {
        Files.createDirectories(root.resolve("bundle"));
        BrokerProcess broker = BrokerProcess.start(
                EmbeddedKafkaConfig.temporary().withData(root.resolve("broker")).withPartitions(PARTITIONS),
                root.resolve("broker.log"));
        try {
            Map<String, Object> client = Map.of("bootstrap.servers", broker.bootstrapServers());
            new FleetTopics(topics(), client, Duration.ofMinutes(1)).create(OptionalInt.of(PARTITIONS),
                    OptionalInt.of(1));
            new BenchBundle(module).apply(root.resolve("bundle"), topics().name(Topic.RESOURCE), client);
            SoloFleet fleet = new SoloFleet(broker, root);
            fleet.awaitReady();
            return fleet;
        } catch (IOException | InterruptedException | RuntimeException e) {
            broker.close();
            throw e;
        }
    }

    /// Every worker has a name of its own, as a deployment gives it.
    private ChildJvm launch() {
        String name = "worker-" + ++workers;
        return ChildJvm.start(new ChildJvm.Launch(WorkerMain.class,
                List.of("-Xmx512m", "-XX:+UseSerialGC", "-Dlogback.configurationFile=bench-logback.xml"),
                settings(name), root.resolve(name + ".log")));
    }

    private List<String> settings(String name) {
        return List.of("kafka.bootstrapServers=" + bootstrapServers(), "worker.name=" + name,
                "worker.catalog.mode=agent", "worker.dedupe.maxEntries=" + WINDOW,
                "worker.workspace.root=" + root.resolve("workspace"),
                "worker.completion.stateDir=" + root.resolve("state"));
    }

    private void awaitReady() throws InterruptedException {
        try {
            worker.awaitReady(READY);
        } catch (InterruptedException | RuntimeException e) {
            worker.close();
            throw e;
        }
    }

    /// The names of the topics.
    public static Topics topics() {
        return new Topics("");
    }

    /// `host:port` of the broker.
    public String bootstrapServers() {
        return broker.bootstrapServers();
    }

    /// A scan that follows the committed records of these topics of group A from their beginnings.
    public TopicScan reader(Topic... read) {
        return TopicScan.following(Map.of("bootstrap.servers", bootstrapServers()), READY, Stream.of(read)
                .flatMap(topic -> TopicScan.partitions(topics().name(topic), PARTITIONS).stream()).toList());
    }

    /// Returns the number of records that were written to these topics of group A.
    public long records(List<Topic> topics) {
        try (TopicScan scan = TopicScan.ofEverything(Map.of("bootstrap.servers", bootstrapServers()), READY)) {
            return topics.stream().map(topic -> scan.ends(scan.partitions(topics().name(topic))).values())
                    .flatMap(Collection::stream).mapToLong(Long::longValue).sum();
        }
    }

    /// The worker's process number.
    public long workerPid() {
        return worker.pid();
    }

    /// True if the worker runs.
    public boolean workerIsAlive() {
        return worker.isAlive();
    }

    /// SIGKILL to the worker.
    public void killWorker() {
        worker.kill();
    }

    /// SIGTERM to the worker; returns when it has drained.
    ///
    /// @throws IllegalStateException when it does not end
    public void stopWorker() throws InterruptedException {
        worker.terminate();
        if (!worker.awaitEnd(DRAIN))
            throw new IllegalStateException("the worker does not end");
    }

    /// A new worker in the place of one that has ended; ready when it returns.
    public void replaceWorker() throws InterruptedException {
        worker = launch();
        awaitReady();
    }

    @Override
    public void close() {
        worker.close();
        broker.close();
    }
}
