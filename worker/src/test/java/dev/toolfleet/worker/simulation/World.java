package dev.toolfleet.worker.simulation;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.InstanceLabel;
import dev.toolfleet.wire.JournalEntry;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.PartitionFrontier;
import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.identity.DedupeConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/// One run: a cluster, workers, a caller and what befalls them, all from one seed. Ends when the world has come to
/// rest, or when it should have.
final class World {
    private static final long REST_MILLIS = 120_000;

    final Random random;
    final Fibers fibers;
    final History history;
    final Faults faults;
    final Hazards hazards;
    final Outside outside = new Outside();
    final SimCluster cluster;
    final LabelChecks labels;
    final SimBudget budget;
    final Plant plant;
    final int maxMetadata;
    final int maxInFlight;
    final int maxQueued;
    /// How many outcomes of pending calls are on their way at a time.
    final int maxResumed;
    /// Whether nothing goes wrong in this run but that workers come and go.
    final boolean calm;
    /// Whether committed offsets of resumed calls are lost. That happens days after they were committed, and so not in
    /// worlds where a worker may still ask whether they were.
    final boolean offsetsExpire;
    final Answers answers;
    final Growth growth;
    /// When calls that need approval come under other rules.
    final long policyChangesAt;
    private final List<SimWorker> workers = new ArrayList<>();
    final DedupeConfig dedupe;
    private final int instances;
    private int names;
    private int handles;

    World(long seed, Plant plant, Trace trace) {
        this(seed, plant, trace, SimBudget.of(seed));
    }

    World(long seed, Plant plant, Trace trace, SimBudget budget) {
        this.budget = budget;
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.plant = plant;
        this.calm = random.nextInt(4) == 0;
        this.fibers = new Fibers(random);
        this.history = new History(fibers, trace);
        this.offsetsExpire = random.nextInt(4) == 0;
        this.faults = calm ? Faults.calm(random) : Faults.wild(random, !offsetsExpire);
        this.hazards = new Hazards(seed, calm);
        this.cluster = new SimCluster(fibers, random, faults, hazards, 2 + random.nextInt(3), trace);
        this.labels = new LabelChecks(cluster);
        this.maxMetadata = random.nextInt(3) == 0 ? 6 + random.nextInt(10) : DoneOffsets.MAX_METADATA;
        cluster.transactions.limitMetadata(maxMetadata);
        this.maxInFlight = random.nextInt(3) == 0 ? 2 + random.nextInt(6) : 100;
        this.maxQueued = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 20;
        this.maxResumed = 1 + random.nextInt(4);
        this.dedupe = new DedupeConfig(Duration.ofMinutes(10),
                random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 100_000);
        this.instances = 1 + random.nextInt(3);
        this.policyChangesAt = random.nextInt(15_000);
        this.answers = new Answers(cluster);
        this.growth = new Growth(this);
    }

    /// Nobody guesses here.
    String newHandle() {
        return "question " + handles++;
    }

    Instant instant() {
        return Instant.ofEpochMilli(fibers.now());
    }

    /// Runs to the end and says what was wrong.
    List<String> run() {
        try {
            fibers.run(this::direct);
        } catch (IllegalStateException e) {
            // Otherwise: the seed of a world that breaks is not printed.
            StringWriter stack = new StringWriter();
            e.printStackTrace(new PrintWriter(stack));
            return List.of("the world broke: " + stack);
        }
        return new Checks(this).violations();
    }

    private void direct() {
        int size = 1 + random.nextInt(3);
        for (int i = 0; i < size; i++)
            startWorker();
        SimCaller caller = new SimCaller(this, instances, 8 + random.nextInt(30), "c");
        fibers.spawn(new Fibers.Program(), caller);
        SimTopology topology = new SimTopology(this);
        fibers.spawn(new Fibers.Program(), topology);
        SimCanceller canceller = new SimCanceller(this, topology);
        if (hazards.cancels)
            fibers.spawn(new Fibers.Program(), canceller);
        SimChaos chaos = new SimChaos(this);
        fibers.spawn(new Fibers.Program(), chaos);
        TopicChaos topics = new TopicChaos(this, instances, caller::isDone);
        fibers.spawn(new Fibers.Program(), topics);
        fibers.await(() -> caller.isDone() && chaos.isDone() && topics.isDone()
                && (canceller.isDone() || !hazards.cancels), Long.MAX_VALUE);
        faults.end();
        cluster.electLeaders();
        rest();
    }

    /// Nothing goes wrong any more; at least one worker lives. Everything has to come to its end.
    private void rest() {
        history.add("world", "comes to rest");
        workers.stream().filter(worker -> worker.program.isFrozen()).forEach(SimWorker::thaw);
        long until = fibers.now() + (hazards.bytesPerSecond > 0 ? 3 * REST_MILLIS : REST_MILLIS);
        while (!isAnswered() && fibers.now() < until) {
            // One that found its name taken by a process that was just killed has left.
            if (living().isEmpty())
                startWorker();
            fibers.await(() -> isAnswered() || living().isEmpty(), until - fibers.now());
        }
        fibers.sleep(12_000);
    }

    /// Approvals may wait for a call whose record is gone, until its handler can run no longer.
    private boolean isAnswered() {
        return answers.areComplete(history) && (history.lost.isEmpty() || areOutcomesDone());
    }

    private boolean areOutcomesDone() {
        return IntStream.range(0, cluster.partitions).allMatch(this::isDone);
    }

    /// Whether every outcome of a partition is done. Also when no offset says so.
    boolean isDone(int partition) {
        OffsetAndMetadata committed = cluster.group
                .committed(new TopicPartition(Topic.CALL_RESUMED.baseName(), partition));
        return committed == null
                || cluster.log(Topic.CALL_RESUMED, partition).read(committed.offset(), 1).records().isEmpty();
    }

    List<SimWorker> workers() {
        return workers;
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

    /// Whether workers may forget answers that a duplicate asks for.
    boolean isForgetful() {
        return dedupe.maxEntries() < 100;
    }

    /// Whether an intent of the call is sure to be committed. That of an approved one has a name of its own.
    boolean isNoted(SimCall call) {
        return switch (entry(call, call.identity())) {
            case CallIntent intent -> !intent.mayRunTwice();
            case OpenHandle open -> entry(call, new CallIdentity(call.identity()).resumedBy(open.handle())
                    .text()) instanceof CallIntent intent && !intent.mayRunTwice();
            case PartitionFrontier _,PartitionOwner _,InstanceLabel _,SpentBudget _ ->
                throw new IllegalStateException("no call's entry under a call's identity");
            case null -> false;
        };
    }

    /// Whether it is sure to be committed that the call, or one with its identity, waits for its handle, and nobody has
    /// approved it.
    boolean waits(SimCall call) {
        return entry(call, call.identity()) instanceof OpenHandle open && !history.isApproved(call, open.handle());
    }

    private @Nullable JournalEntry entry(SimCall call, String key) {
        byte[] newest = cluster.log(Topic.JOURNAL, call.partition()).newest(key.getBytes(UTF_8));
        return newest == null ? null : JournalEntry.read(newest);
    }

    void startWorker() {
        startWorker("w" + names++);
    }

    /// A worker that finds another number of partitions than the fleet was created with says so and ends.
    void startWorker(String name) {
        if (growth.isOpen())
            return;
        SimWorker worker = new SimWorker(this, name, workers.size());
        workers.add(worker);
        worker.start();
    }
}
