package dev.toolfleet.worker.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.identity.DedupeConfig;

import static java.nio.charset.StandardCharsets.UTF_8;

/// One run: a cluster, workers, a caller and what befalls them, all from one seed. Ends when the world has come to
/// rest, or when it should have.
final class World {
    private static final long REST_MILLIS = 120_000;

    final Random random;
    final Fibers fibers;
    final History history;
    final Faults faults;
    final Outside outside = new Outside();
    final SimCluster cluster;
    final Plant plant;
    final int maxMetadata;
    final int maxInFlight;
    final int maxQueued;
    /// Whether nothing goes wrong in this run but that workers come and go.
    final boolean calm;
    private final List<SimWorker> workers = new ArrayList<>();
    final DedupeConfig dedupe;
    private final int instances;
    private int names;

    World(long seed, Plant plant, Trace trace) {
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.plant = plant;
        this.calm = random.nextInt(4) == 0;
        this.fibers = new Fibers(random);
        this.history = new History(fibers, trace);
        this.faults = calm ? Faults.calm(random) : Faults.wild(random);
        this.cluster = new SimCluster(fibers, random, faults, 2 + random.nextInt(3), trace);
        this.maxMetadata = random.nextInt(3) == 0 ? 6 + random.nextInt(10) : DoneOffsets.MAX_METADATA;
        this.maxInFlight = random.nextInt(3) == 0 ? 2 + random.nextInt(6) : 100;
        this.maxQueued = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 20;
        this.dedupe = new DedupeConfig(Duration.ofMinutes(10),
                random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 100_000);
        this.instances = 1 + random.nextInt(3);
    }

    Instant instant() {
        return Instant.ofEpochMilli(fibers.now());
    }

    /// Runs to the end and says what was wrong.
    List<String> run() {
        fibers.run(this::direct);
        return new Checks(this).violations();
    }

    private void direct() {
        int size = 1 + random.nextInt(3);
        for (int i = 0; i < size; i++)
            startWorker();
        SimCaller caller = new SimCaller(this, instances, 10 + random.nextInt(40));
        fibers.spawn(new Fibers.Program(), caller);
        SimChaos chaos = new SimChaos(this);
        fibers.spawn(new Fibers.Program(), chaos);
        fibers.await(() -> caller.isDone() && chaos.isDone(), Long.MAX_VALUE);
        faults.end();
        rest();
    }

    /// Nothing goes wrong any more; at least one worker lives. Everything has to come to its end.
    private void rest() {
        history.add("world", "comes to rest");
        workers.stream().filter(worker -> worker.program.isFrozen()).forEach(SimWorker::thaw);
        long until = fibers.now() + REST_MILLIS;
        while (!isAnswered() && fibers.now() < until) {
            // One that found its name taken by a process that was just killed has left.
            if (living().isEmpty())
                startWorker();
            fibers.await(() -> isAnswered() || living().isEmpty(), until - fibers.now());
        }
        fibers.sleep(12_000);
    }

    private boolean isAnswered() {
        long answered = 0;
        for (int partition = 0; partition < cluster.partitions; partition++)
            answered += cluster.log(Topic.RESULT, partition).committed().size();
        return answered >= history.calls.size();
    }

    List<SimWorker> living() {
        return workers.stream().filter(worker -> !worker.program.isDead() && !worker.isStopping()).toList();
    }

    /// Whether the commits' metadata never gets too long.
    boolean hasRoom() {
        return maxMetadata == DoneOffsets.MAX_METADATA;
    }

    /// Whether another process of that name is in the group.
    boolean hasNamesake(SimWorker one) {
        return workers.stream().anyMatch(
                other -> other != one && other.name.equals(one.name) && cluster.group.has(other.program));
    }

    /// Whether an intent of the call is sure to be committed.
    boolean isNoted(SimCall call) {
        return cluster.log(Topic.JOURNAL, call.partition()).holds(call.identity().getBytes(UTF_8));
    }

    void startWorker() {
        startWorker("w" + names++);
    }

    void startWorker(String name) {
        SimWorker worker = new SimWorker(this, name, workers.size());
        workers.add(worker);
        worker.start();
    }
}
