package dev.toolfleet.worker.simulation;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.assignment.HeartbeatLease;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.CommitConfig;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.commit.PartitionListener;
import dev.toolfleet.worker.commit.TransactionLoop;
import dev.toolfleet.worker.commit.TransactionSteps;
import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.HandOvers;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.lane.LaneLimits;
import dev.toolfleet.worker.lane.LaneSlot;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.pipeline.CallPipeline;
import dev.toolfleet.worker.poll.EngineParts;
import dev.toolfleet.worker.poll.PollConfig;
import dev.toolfleet.worker.poll.PollListener;
import dev.toolfleet.worker.poll.PollLoop;
import dev.toolfleet.worker.poll.PollSteps;
import dev.toolfleet.worker.poll.TakeOver;
import dev.toolfleet.worker.poll.TakeOverPool;
import dev.toolfleet.worker.simulation.SimCall.Kind;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;

/// One worker process of the simulation: the engine's own loops, wired over the fakes, each in a fiber.
final class SimWorker implements PartitionListener, TakeOverPool.Adopter {
    private static final long BACKOFF_MILLIS = 100;
    private static final int MOST_ENTRIES = 3;
    private static final long MOST_BYTES = 5_000;
    private static final long BEAT_MILLIS = 300;
    private static final long WATCH_MILLIS = 10_000;
    private static final long IDLE_MILLIS = 5_000;
    private static final long LAST_WORDS_MILLIS = 2_000;
    private static final PollConfig POLL = new PollConfig(Topic.CALL.baseName(), Duration.ofSeconds(5),
            Duration.ofMillis(5), Duration.ZERO, Duration.ofSeconds(3), Duration.ofSeconds(30));

    /// Its configured name, which a later process may have too.
    final String name;
    private final String who;
    final Fibers.Program program = new Fibers.Program();
    private final World world;
    private final Fibers fibers;
    private final Random random;
    private final SimMember member;
    private final Consumer<byte[], byte[]> consumer;
    private final TransactionLoop transactions;
    private final PartitionStates states = new PartitionStates();
    private final HandOvers handOvers = new HandOvers();
    private final RunningHandlers handlers = new RunningHandlers();
    private final HeartbeatLease lease;
    private final Ownership ownership;
    private final Ownership ownershipOfCommits;
    private final Lanes lanes;
    private final RecordedEngine engine;
    private final SimResumed resumed;
    private final SimControl control;
    private final PollLoop poll;
    private boolean stopping;
    private boolean stopped;

    SimWorker(World world, String name, int process) {
        this.world = world;
        this.who = name + "#" + process;
        this.name = name;
        this.fibers = world.fibers;
        this.random = world.random;
        long ahead = world.hazards.workerClock();
        InstantSource clock = () -> world.instant().plusMillis(ahead);
        String topic = Topic.CALL.baseName();
        member = new SimMember(world.cluster, random, program);
        consumer = member.asConsumer();
        lease = new HeartbeatLease(SimCalls.SESSION, SimCalls.SESSION.multipliedBy(3), this::nanos);
        ownership = new Ownership(consumer.groupMetadata(), lease);
        ownershipOfCommits = world.plant == Plant.NOT_OWNED ? new Ownership(consumer.groupMetadata()) : ownership;
        transactions = new TransactionLoop(
                commits(world),
                ownershipOfCommits, number -> world.plant
                        .producer(world.cluster, program, SimGroup.ID + "." + name + "." + number, member).asProducer(),
                SimSources.offsets(world.cluster)::committed, world.cluster::reachable, this, this::nanos);
        SimCalls calls = new SimCalls(world, program, name, ownership, states, handOvers, transactions,
                clock, this::finished);
        CallPipeline pipeline = calls.pipeline(handlers);
        control = new SimControl(world, calls.cancellations(handlers));
        lanes = new Lanes(new LaneLimits(world.maxInFlight, 1 << 20, world.maxQueued), transactions.uncommitted(),
                ownership, SimWorker::readOnly, slot -> run(pipeline, slot), call -> fibers.spawn(program, call));
        resumed = new SimResumed(world, program, world.plant.ends(world,
                EngineParts.ends(transactions, calls.ends(), states, lanes, handlers), states, transactions),
                world.maxResumed);
        PollListener real = EngineParts.engine(lanes, transactions, handlers, states, handOvers::opened,
                handOvers::closed, resumed.loop(), calls.cancels(), calls.owners());
        engine = new RecordedEngine(world, who, world.plant == Plant.NOT_OWNED
                ? new TamperedEngine(real, lanes, handlers, states, resumed.loop())
                : real);
        TakeOver takeOver = new TakeOver(new SimSources(world.cluster, world.plant), world.dedupe,
                calls.frontiers(), this::nanos);
        poll = new PollLoop(POLL, consumer, ownership, engine,
                EngineParts.recorded(topic, world.plant.recorded(world.cluster), new TakeOverPool(takeOver, _ -> {},
                        this, new SimTimer(fibers, program).asExecutor(), random::nextDouble), this));
    }

    private static CommitConfig commits(World world) {
        String calls = Topic.CALL.baseName();
        String resumed = Topic.CALL_RESUMED.baseName();
        return world.hazards.smallTransactions
                ? new CommitConfig(calls, resumed, Duration.ZERO, 1, world.maxMetadata, MOST_ENTRIES, MOST_BYTES)
                : new CommitConfig(calls, resumed, Duration.ZERO, 1, world.maxMetadata);
    }

    private long nanos() {
        return fibers.now() * 1_000_000;
    }

    private void finished(Outcome outcome) {
        // The thread was killed with its process.
        if (program.isDead())
            return;
        if (outcome.position().source() == Position.Source.CALLS)
            world.history.finished(who, outcome.position());
        transactions.finished(outcome);
    }

    private void run(CallPipeline pipeline, LaneSlot slot) {
        if (!(slot.arrival() instanceof Arrival.Malformed))
            SimTools.RUNNING.set(new SimHandler(world, who, member, call(slot.arrival()).position(),
                    call(slot.arrival()).call().id(), control, this::crash));
        pipeline.run(slot);
    }

    private static boolean readOnly(Arrival arrival) {
        return switch (arrival) {
            case Arrival.Call call -> Kind.of(call.call().name()) == Kind.READ;
            case Arrival.Granted granted -> readOnly(granted.call());
            case Arrival.Malformed _ -> false;
        };
    }

    /// The call itself: an approved one has a place of its own beside. Only calls run handlers.
    private static Arrival.Call call(Arrival arrival) {
        return switch (arrival) {
            case Arrival.Call call -> call;
            case Arrival.Granted granted -> granted.call();
            case Arrival.Malformed _ -> throw new IllegalArgumentException("no call: " + arrival);
        };
    }

    void start() {
        world.history.add(who, "starts");
        fibers.spawn(program, () -> {
            ready();
            if (world.hazards.cancels) {
                control.catchUp();
                fibers.spawn(program, control::run);
            }
            fibers.spawn(program, this::transact);
            lease.begin();
            fibers.spawn(program, this::beat);
            fibers.spawn(program, resumed::run);
            fibers.spawn(program, this::watch);
            PollSteps.subscribe(poll);
            while (!stopping)
                PollSteps.turn(poll);
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            lastWords();
            world.history.add(who, "has left");
            fibers.kill(program);
        });
    }

    private void watch() {
        for (;; fibers.sleep(WATCH_MILLIS))
            poll.logs(SimSources.logs(world.cluster, 0));
    }

    /// As the heartbeat loop does: fences first, then counts the coordinator's answers.
    private void beat() {
        for (int answers = 0;; answers++) {
            var _ = ownership.isFenced();
            lease.sample(nanos(), answers, member.isWaiting());
            fibers.sleep(BEAT_MILLIS);
        }
    }

    private void ready() {
        while (true) {
            try {
                TransactionSteps.ready(transactions);
                return;
            } catch (TimeoutException | ProducerFencedException e) {
                fibers.sleep(BACKOFF_MILLIS);
            }
        }
    }

    private void transact() {
        while (true) {
            if (world.plant == Plant.NOT_OWNED)
                forgetRevocations();
            if (!TransactionSteps.step(transactions)) {
                fibers.sleep(BACKOFF_MILLIS);
                continue;
            }
            fibers.await(() -> TransactionSteps.hasNews(transactions),
                    TransactionSteps.patienceMillis(transactions, IDLE_MILLIS));
            if (random.nextInt(3) == 0)
                fibers.sleep(random.nextInt(4));
        }
    }

    /// As the transaction loop does when it is closed.
    private void lastWords() {
        CompletableFuture<Void> flushed = transactions.flush();
        fibers.await(flushed::isDone, LAST_WORDS_MILLIS);
    }

    /// Once owned, always owned.
    private void forgetRevocations() {
        Map<Integer, Long> ever = new HashMap<>(ownershipOfCommits.current().epochs());
        ever.putAll(ownership.current().epochs());
        ownershipOfCommits.publish(new Ownership.Snapshot(consumer.groupMetadata(), ever));
    }

    /// Stops as a process does that is asked to: drains, interrupts what runs on, leaves.
    void stop() {
        world.history.add(who, "is stopped");
        stopped = true;
        fibers.spawn(program, () -> {
            poll.drain();
            member.wake();
            fibers.await(poll::isDraining, 30_000);
            handlers.drain();
            fibers.await(this::drained, 30_000);
            handlers.stop();
            fibers.await(this::drained, 3_000);
            stopping = true;
            member.wake();
        });
    }

    boolean isStopping() {
        return stopped;
    }

    private boolean drained() {
        return poll.isDraining() && lanes.inFlight() == 0;
    }

    void crash() {
        world.history.add(who, "is killed");
        fibers.kill(program);
    }

    void freeze() {
        world.history.add(who, "freezes");
        fibers.freeze(program);
    }

    void thaw() {
        world.history.add(who, "goes on");
        fibers.thaw(program);
    }

    @Override
    public void adopt(int partition, long epoch, TakeOver.Restored restored) {
        poll.adopt(partition, epoch, restored);
        member.wake();
    }

    @Override
    public void held(int partition, long epoch, Hold why, boolean on) {
        engine.held(partition, why, on);
        poll.hold(partition, epoch, why, on);
        if (why == Hold.QUARANTINED)
            resumed.quarantine(partition, epoch, on);
        member.wake();
    }

    @Override
    public void committed(int partition, long epoch, OffsetAndMetadata calls) {
        PartitionState state = states.of(partition, epoch);
        if (state != null)
            state.frontier(calls.offset());
    }

    @Override
    public void wentBack(int partition, long epoch) {
        poll.renew(partition, epoch);
        member.wake();
    }

    @Override
    public void fenced() {
        if (world.hasNamesake(this)) {
            world.history.add(who, "finds its name taken");
            engine.lostName();
            stopping = true;
            member.wake();
        }
    }

    @Override
    public void failed(Throwable cause) {
        world.history.broken(who + " failed: " + cause);
    }
}
