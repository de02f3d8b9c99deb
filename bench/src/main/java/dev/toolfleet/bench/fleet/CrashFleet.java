package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;

/// Brokers, a catalog service, workers, and maybe gateways and session services, each in a process of its own, with the
/// [CrashBundle]. All settings that matter are the defaults.
public final class CrashFleet implements AutoCloseable {
    /// Partitions of the topics that follow a call.
    public static final int PARTITIONS = 12;
    /// Number of workers that share them.
    public static final int WORKERS = 3;
    /// The workers' group: the default.
    public static final String GROUP = "toolfleet";
    /// Session timeout of the workers: the default.
    public static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);

    private static final Duration DRAIN = Duration.ofSeconds(60);
    private static final Duration READY = Duration.ofSeconds(90);
    private static final Duration TOPICS = Duration.ofMinutes(1);
    private static final List<String> CATALOG_FLAGS = List.of("-Xmx256m", "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "-Dlogback.configurationFile=bench-logback.xml");

    private final Brokers brokers;
    private final List<ChildJvm> services = new ArrayList<>();
    private final List<WorkerSlot> slots = new ArrayList<>();
    private final List<GatewaySlot> gateways = new ArrayList<>();
    private final List<SessionSlot> sessions = new ArrayList<>();

    private CrashFleet(Brokers brokers) {
        this.brokers = brokers;
    }

    /// Starts everything; ready when it returns.
    ///
    /// @param gateways the number of gateways; 0 for none
    /// @param sessions the number of session services; 0 for none
    /// @throws IllegalStateException when a process does not become ready; nothing runs then
    public static CrashFleet start(RunFolder folder, int brokers, int gateways, int sessions,
            CrashBundle bundle) throws IOException, InterruptedException {
        CrashFleet fleet = new CrashFleet(Brokers.start(brokers, folder, PARTITIONS));
        try {
            fleet.startMembers(folder, gateways, sessions, bundle);
            return fleet;
        } catch (IOException | InterruptedException | RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    private void startMembers(RunFolder folder, int gatewayCount, int sessionCount, CrashBundle bundle)
            throws IOException, InterruptedException {
        createTopics();
        bundle.write(folder.bundle(), topics().name(Topic.RESOURCE), client());
        ChildJvm catalog = ChildJvm.start(new ChildJvm.Launch(CatalogMain.class, CATALOG_FLAGS,
                List.of(folder.workspace().resolveSibling("catalog").toString(), topics().prefix(),
                        "bootstrap.servers=" + bootstrapServers()),
                folder.logs().resolve("catalog.log")));
        services.add(catalog);
        AtomicInteger processes = new AtomicInteger();
        for (int slot = 0; slot < WORKERS; slot++)
            slots.add(WorkerSlot.start(bootstrapServers(), folder, processes));
        for (int number = 1; number <= gatewayCount; number++)
            gateways.add(GatewaySlot.start(number, bootstrapServers(), topics().prefix(), folder));
        for (int number = 1; number <= sessionCount; number++)
            sessions.add(SessionSlot.start(number, bootstrapServers(), topics().prefix(), folder));
        catalog.awaitReady(READY);
        for (WorkerSlot slot : slots)
            slot.awaitReady();
        for (GatewaySlot gateway : gateways)
            gateway.awaitReady();
        for (SessionSlot session : sessions)
            session.awaitReady();
    }

    /// Creates those topics of the fleet that are missing.
    public void createTopics() {
        new FleetTopics(topics(), client(), TOPICS).create(OptionalInt.of(PARTITIONS), OptionalInt.empty());
    }

    /// The names of the topics.
    public Topics topics() {
        return new Topics("");
    }

    /// `host:port` of the brokers.
    public String bootstrapServers() {
        return brokers.bootstrapServers();
    }

    private Map<String, Object> client() {
        return Map.of("bootstrap.servers", bootstrapServers());
    }

    /// The brokers.
    public Brokers brokers() {
        return brokers;
    }

    /// The workers' places.
    public List<WorkerSlot> slots() {
        return List.copyOf(slots);
    }

    /// The gateways' places.
    public List<GatewaySlot> gateways() {
        return List.copyOf(gateways);
    }

    /// The session services' places.
    public List<SessionSlot> sessions() {
        return List.copyOf(sessions);
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
        gateways.forEach(GatewaySlot::close);
        sessions.forEach(SessionSlot::close);
        slots.forEach(WorkerSlot::close);
        services.forEach(ChildJvm::close);
        brokers.close();
    }
}
