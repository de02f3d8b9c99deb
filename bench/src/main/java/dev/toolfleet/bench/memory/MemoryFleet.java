package dev.toolfleet.bench.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

import dev.toolfleet.bench.fleet.BenchBundle;
import dev.toolfleet.bench.fleet.WorkerMain;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.embedded.BrokerProcess;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;

/// A broker and one worker, each in a process of its own. The worker's deduplication windows are small, so that they are
/// full soon and what grows afterwards is nobody's.
final class MemoryFleet implements AutoCloseable {
    static final int PARTITIONS = 12;
    private static final int WINDOW = 1_000;
    private static final Duration READY = Duration.ofSeconds(60);

    private final BrokerProcess broker;
    private final ChildJvm worker;

    private MemoryFleet(BrokerProcess broker, ChildJvm worker) {
        this.broker = broker;
        this.worker = worker;
    }

    static MemoryFleet start(Path root) throws IOException, InterruptedException {
        Files.createDirectories(root.resolve("bundle"));
        BrokerProcess broker = BrokerProcess.start(
                EmbeddedKafkaConfig.temporary().withData(root.resolve("broker")).withPartitions(PARTITIONS),
                root.resolve("broker.log"));
        try {
            return new MemoryFleet(broker, worker(broker.bootstrapServers(), root));
        } catch (IOException | InterruptedException | RuntimeException e) {
            broker.close();
            throw e;
        }
    }

    private static ChildJvm worker(String bootstrapServers, Path root) throws IOException, InterruptedException {
        Map<String, Object> client = Map.of("bootstrap.servers", bootstrapServers);
        new FleetTopics(topics(), client, FleetTopics.DEFAULT_TIMEOUT).create(OptionalInt.of(PARTITIONS),
                OptionalInt.of(1));
        new BenchBundle(ManyTools.class).apply(root.resolve("bundle"), topics().name(Topic.RESOURCE), client);
        ChildJvm worker = ChildJvm.start(new ChildJvm.Launch(WorkerMain.class,
                List.of("-Xmx512m", "-XX:+UseSerialGC", "-Dlogback.configurationFile=bench-logback.xml"),
                List.of("kafka.bootstrapServers=" + bootstrapServers, "worker.name=worker-1",
                        "worker.catalog.mode=agent", "worker.dedupe.maxEntries=" + WINDOW,
                        "worker.workspace.root=" + root.resolve("workspace")),
                root.resolve("worker.log")));
        try {
            worker.awaitReady(READY);
            return worker;
        } catch (InterruptedException | RuntimeException e) {
            worker.close();
            throw e;
        }
    }

    static Topics topics() {
        return new Topics("");
    }

    String bootstrapServers() {
        return broker.bootstrapServers();
    }

    long workerPid() {
        return worker.pid();
    }

    boolean workerIsAlive() {
        return worker.isAlive();
    }

    @Override
    public void close() {
        worker.close();
        broker.close();
    }
}
