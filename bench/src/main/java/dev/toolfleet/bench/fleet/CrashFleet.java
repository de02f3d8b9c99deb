package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.bench.effect.EffectTools;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.embedded.BrokerProcess;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;

/// A broker and workers, each in a process of its own, with a bundle of [dev.toolfleet.bench.effect.EffectTools].
/// Workers ask the agent's list of tools and no catalog of a step, so that no catalog service is needed.
public final class CrashFleet implements AutoCloseable {
    /// Of the topics that follow a call.
    public static final int PARTITIONS = 12;
    /// How many workers share them.
    public static final int WORKERS = 3;
    /// Of the workers: the default.
    public static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);

    private static final Duration DRAIN = Duration.ofSeconds(60);

    private final BrokerProcess broker;
    private final List<WorkerSlot> slots = new ArrayList<>();

    private CrashFleet(BrokerProcess broker) {
        this.broker = broker;
    }

    /// Starts everything; ready when it returns.
    ///
    /// @throws IllegalStateException when a process does not become ready; nothing runs then
    public static CrashFleet start(RunFolder folder) throws IOException, InterruptedException {
        CrashFleet fleet = new CrashFleet(BrokerProcess.start(
                EmbeddedKafkaConfig.temporary().withData(folder.broker()).withPartitions(PARTITIONS),
                folder.logs().resolve("broker.log")));
        try {
            fleet.startMembers(folder);
            return fleet;
        } catch (IOException | InterruptedException | RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    private void startMembers(RunFolder folder) throws IOException, InterruptedException {
        Map<String, Object> client = Map.of("bootstrap.servers", bootstrapServers());
        new FleetTopics(topics(), client, Duration.ofMinutes(1)).create(OptionalInt.of(PARTITIONS),
                OptionalInt.of(1));
        new BenchBundle(EffectTools.class).apply(folder.bundle(), topics().name(Topic.RESOURCE), client);
        AtomicInteger names = new AtomicInteger();
        for (int slot = 0; slot < WORKERS; slot++)
            slots.add(WorkerSlot.start(bootstrapServers(), folder, names));
        for (WorkerSlot slot : slots)
            slot.awaitReady();
    }

    /// The names of the topics.
    public Topics topics() {
        return new Topics("");
    }

    /// `host:port` of the broker.
    public String bootstrapServers() {
        return broker.bootstrapServers();
    }

    /// The broker.
    public BrokerProcess broker() {
        return broker;
    }

    /// The workers' places.
    public List<WorkerSlot> slots() {
        return List.copyOf(slots);
    }

    /// Stops the workers as an operator does; those that do not end are killed.
    public void stopWorkers() throws InterruptedException {
        slots.forEach(WorkerSlot::terminate);
        for (WorkerSlot slot : slots) {
            if (!slot.awaitEnd(DRAIN))
                slot.kill();
        }
    }

    /// Kills what still runs.
    @Override
    public void close() {
        slots.forEach(WorkerSlot::close);
        broker.close();
    }
}
