package dev.toolfleet.bench.compare;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.toolfleet.bench.engine.ParallelConsumerMain;
import dev.toolfleet.bench.engine.PeerSettings;
import dev.toolfleet.bench.engine.RawMain;
import dev.toolfleet.bench.fleet.ProcessUse;
import dev.toolfleet.bench.fleet.ProcessorShare;
import dev.toolfleet.bench.fleet.WorkerMain;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.topic.Topic;

/// The processes of an entrant in one measurement. Used by one thread; [#areAlive] by any.
final class Engines implements AutoCloseable {
    private static final Duration READY = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(60);

    private final Ground.Place place;
    private final Entrant entrant;
    private final CallLoad load;
    private final EngineOptions options;
    /// Read by a thread that watches them.
    private final List<ChildJvm> processes = new CopyOnWriteArrayList<>();
    private final List<ProcessorShare> shares = new ArrayList<>();
    private int started;
    private volatile boolean restarting;

    private Engines(Ground.Place place, Entrant entrant, CallLoad load, EngineOptions options) {
        this.place = place;
        this.entrant = entrant;
        this.load = load;
        this.options = options;
    }

    /// Starts them and returns at once.
    static Engines start(Ground.Place place, Entrant entrant, CallLoad load, EngineOptions options) {
        Engines engines = new Engines(place, entrant, load, options);
        for (int i = 0; i < entrant.processes(); i++)
            engines.processes.add(engines.launch());
        return engines;
    }

    private ChildJvm launch() {
        String name = "engine-" + ++started;
        return ChildJvm.start(switch (entrant.arm()) {
            case TOOLFLEET, JOURNALED, LABELLED, NODE, PYTHON ->
                new ChildJvm.Launch(WorkerMain.class, options.flags(), settings(name),
                        place.path(name + ".log"));
            case RAW -> new ChildJvm.Launch(RawMain.class, options.flags(), peer(1, true), place.path(name + ".log"));
            case CPC, CPC_ASYNC -> new ChildJvm.Launch(ParallelConsumerMain.class, options.flags(),
                    peer(options.concurrencyFor(load), entrant.arm() == Arm.CPC), place.path(name + ".log"));
        });
    }

    private List<String> peer(int concurrency, boolean transactional) {
        return new PeerSettings(place.bootstrapServers(), place.topic(Topic.CALL), place.topic(Topic.RESULT),
                place.named("engine-" + started), concurrency, transactional).arguments();
    }

    private List<String> settings(String name) {
        Map<String, String> settings = new HashMap<>(basic(place, name));
        settings.putAll(options.settings());
        settings.putAll(entrant.settings());
        return settings.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue()).sorted().toList();
    }

    /// The settings without which a worker serves no measurement.
    static Map<String, String> basic(Ground.Place place, String name) {
        return Map.of("kafka.bootstrapServers", place.bootstrapServers(),
                "topics.prefix", place.topics().prefix(), "worker.name", name, "worker.workspace.root",
                place.path("workspace").toString(), "worker.completion.stateDir", place.path("state").toString(),
                "worker.bundles", place.path("bundles").toString());
    }

    void awaitReady() throws InterruptedException {
        for (ChildJvm process : processes)
            process.awaitReady(READY);
    }

    /// Bounds each to its share of a processor, once, if it has one.
    ///
    /// @throws IllegalStateException if this system does not do that for this user
    void bound() {
        if (entrant.share().isEmpty() || !shares.isEmpty())
            return;
        for (ChildJvm process : processes)
            shares.add(ProcessorShare.of(process.pid(), entrant.share().getAsDouble()));
    }

    /// True if no engine has ended by itself.
    boolean areAlive() {
        return restarting || processes.stream().allMatch(ChildJvm::isAlive);
    }

    /// The first one's process number.
    long pid() {
        return processes.getFirst().pid();
    }

    /// The processor time that all have taken.
    Duration cpu() {
        return processes.stream().map(process -> ProcessUse.cpu(process.pid())).reduce(Duration.ZERO, Duration::plus);
    }

    /// Stops one after the other, and starts another in its place when it has ended; returns when the last one is
    /// ready.
    void restartEach() throws InterruptedException {
        restarting = true;
        for (int i = 0; i < processes.size(); i++) {
            end(processes.get(i));
            processes.set(i, launch());
            processes.get(i).awaitReady(READY);
        }
        restarting = false;
    }

    private void end(ChildJvm process) throws InterruptedException {
        process.terminate();
        if (!process.awaitEnd(STOP))
            throw new IllegalStateException(entrant.name() + " does not end; " + place.path("engine-1.log"));
    }

    /// SIGTERM to each; returns when they have ended.
    ///
    /// @throws IllegalStateException when one does not end
    void stop() throws InterruptedException {
        processes.forEach(ChildJvm::terminate);
        for (ChildJvm process : processes)
            end(process);
    }

    @Override
    public void close() {
        processes.forEach(ChildJvm::close);
        shares.forEach(ProcessorShare::close);
    }
}
