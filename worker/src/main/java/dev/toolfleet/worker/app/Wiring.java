package dev.toolfleet.worker.app;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.client.topics.PartitionCounts;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.assignment.HeartbeatLease;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.commit.CommitConfig;
import dev.toolfleet.worker.commit.PartitionListener;
import dev.toolfleet.worker.commit.TransactionLoop;
import dev.toolfleet.worker.egress.EgressCounts;
import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.execute.Workspace;
import dev.toolfleet.worker.identity.HandOvers;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.override.PendingCancels;
import dev.toolfleet.worker.poll.AdaptiveTimeout;
import dev.toolfleet.worker.poll.DeadWorkers;
import dev.toolfleet.worker.poll.GroupOffsets;
import dev.toolfleet.worker.poll.HeartbeatLoop;
import dev.toolfleet.worker.poll.Incarnations;
import dev.toolfleet.worker.poll.JoinTrackingAssignor;
import dev.toolfleet.worker.poll.KafkaSources;
import dev.toolfleet.worker.poll.LogWatch;
import dev.toolfleet.worker.poll.PollConfig;
import dev.toolfleet.worker.poll.PollLoop;
import dev.toolfleet.worker.poll.ResumedLoop;
import dev.toolfleet.worker.poll.TakeOver;
import dev.toolfleet.worker.poll.TakeOverPool;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.state.GroupMembers;
import dev.toolfleet.worker.state.RecordReader;
import dev.toolfleet.worker.state.SpareConsumers;
import dev.toolfleet.worker.state.StateFollower;
import dev.toolfleet.worker.state.TopicLeaders;
import dev.toolfleet.worker.state.TopicOffsets;
import dev.toolfleet.worker.state.TopicScan;
import dev.toolfleet.worker.telemetry.LoadMeters;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;

/// Makes a worker's parts and knows the order in which they start and stop.
final class Wiring implements WorkerGauges.Sources {
    /// Time that take-overs wait for an earlier owner's open transaction before they look whether that owner is dead.
    private static final Duration PATIENCE = Duration.ofMillis(300);
    private static final int STALLS = 4;
    /// The most duplicates that read their earlier results side by side.
    private static final int REPLAYS = 2;
    private static final Duration ADMIN_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration MEMBERS_KEPT = Duration.ofMillis(500);

    private final WorkerConfig config;
    private final StateFollower follower;
    private final ControlTopic control;
    private final ControlTopic operators;
    private final Sandbox sandbox;
    private final CallParts calls;
    private final AgentParts agents;
    private final Admin admin;
    private final SpareConsumers offsetReaders;
    private final SpareConsumers scanReaders;
    private final TransactionLoop transactions;
    private final Lanes lanes;
    private final TakeOverPool takeOvers;
    private final RecordedPartitions recorded;
    private final PollLoop poll;
    private final LogWatch logs;
    private final ResumedLoop resumed;
    private final HeartbeatLoop heartbeats;
    private final Housekeeping housekeeping;
    private final Registrations registrations;
    private final CompletionService completions;
    private final Ownership ownership;
    private final DuplicateName name;
    private final PartitionStates states = new PartitionStates();
    private final WorkerMeters meters;
    private final RestartSwitch restarts;
    private final LoadWatch load;

    private Wiring(WorkerConfig config, PartitionCounts counts, MeterRegistry registry, InstantSource clock,
            Sandbox sandbox) {
        this.config = config;
        this.sandbox = sandbox;
        meters = new WorkerMeters(registry);
        restarts = new RestartSwitch(config.life().restartAfter(), System::nanoTime);
        KafkaClients clients = new KafkaClients(config);
        String callTopic = config.topics().name(Topic.CALL);
        String resumedTopic = config.topics().name(Topic.CALL_RESUMED);
        agents = new AgentParts(config, counts, clients, clock);
        Workspace workspace = new Workspace(config.folders().workspace(), clock, agents);
        StateFolder state = StateFolder.take(config.folders().completion().stateDir());
        PartitionWatch watch = new PartitionWatch(meters, System::nanoTime);
        PollLink link = new PollLink(states, watch, meters.load());

        admin = clients.admin();
        offsetReaders = new SpareConsumers(clients::offsetReader);
        scanReaders = new SpareConsumers(clients::scanReader);
        follower = clients.stateFollower(admin, ADMIN_TIMEOUT, link::failed);
        control = new ControlTopic(config.topics().name(Topic.CONTROL), admin, follower, clock, ADMIN_TIMEOUT);
        operators = new ControlTopic(config.topics().name(Topic.OPERATOR), admin, follower, clock, ADMIN_TIMEOUT);
        JoinTrackingAssignor.JoinState joins = new JoinTrackingAssignor.JoinState();
        Consumer<byte[], byte[]> member = clients.groupMember(joins);
        HeartbeatLease lease = clients.lease();
        ownership = new Ownership(member.groupMetadata(), lease);
        heartbeats = new HeartbeatLoop(member, lease, ownership, joins::isJoining);
        GroupMembers members = new GroupMembers(admin, config.identity().group(), MEMBERS_KEPT, ADMIN_TIMEOUT);
        GroupOffsets offsets = new GroupOffsets(offsetReaders, callTopic, resumedTopic, AdaptiveTimeout.from(PATIENCE));
        transactions = new TransactionLoop(CommitConfig.of(callTopic, resumedTopic), ownership, clients::transactional,
                offsets::committed, new TopicLeaders(admin)::reachable, link, System::nanoTime);
        calls = new CallParts(config, workspace, clock, new FollowedTopics(config.topics(), follower), meters,
                new CallParts.Host(restarts, sandbox, agents), states);
        TopicOffsets ends = new TopicOffsets(admin, ADMIN_TIMEOUT);
        agents.connect(follower, ends, registry()::resources, transactions::publish);
        PartitionTopics topics = new PartitionTopics(config.topics(), follower, calls.steps(), new HandOvers());
        DeadWorkers dead = new DeadWorkers(admin, members, config.identity().group(), config.identity().name(),
                ADMIN_TIMEOUT);
        TopicScan scan = new TopicScan(scanReaders, PATIENCE, STALLS);
        RecordReader results = new RecordReader(scan, REPLAYS);
        PendingCancels cancels = calls.pendingCancels(states, transactions::publish);
        lanes = new Lanes(config.lanes(), transactions.uncommitted(), ownership, calls::isReadOnly,
                calls.pipeline(ownership, transactions::finished, new CallParts.FleetParts(states,
                        (partition, offset) -> results.read(topics.on(Topic.RESULT, partition), offset),
                        new Predecessors(members, topics, ends, dead::fence), new Notes(transactions),
                        transactions::publish,
                        new CallParts.Listeners(transactions::publishOrDrop, cancels::pending))));
        new LaneControl(lanes, calls.handlers()).follow(calls.orders(), calls.giveUp(transactions::publish));
        Incarnations present = new Incarnations(admin, callTopic, resumedTopic, ADMIN_TIMEOUT);
        takeOvers = new TakeOverPool(new TakeOver(
                new KafkaSources(config.topics(), offsets, present::now, ends, scan, follower, dead::fence,
                        members::hasLeft),
                config.calls().dedupe(), calls.frontiers(), System::nanoTime), topics::assigned, link,
                counts.groupA());
        recorded = new RecordedPartitions(callTopic, counts.groupA(), takeOvers, link, watch);
        resumed = new ResumedLoop(resumedTopic, clients.resumedReader(),
                new ResumedCalls(transactions, calls.pendingEnds(ownership, states, transactions::finished), states,
                        lanes, calls.handlers()::isDraining),
                link::failed);
        Intake intake = new Intake(lanes, transactions, calls.handlers(), states, topics, resumed, cancels,
                calls.owners(ownership, new Notes(transactions)), watch);
        poll = new PollLoop(PollConfig.of(callTopic), member, ownership, intake, recorded);
        name = DuplicateName.of(config.identity(), dead::look, ownership, poll::fail);
        link.connect(poll, resumed, name::fenced);
        logs = new LogWatch(present::now, poll::logs);
        registrations = new Registrations(config, clients, calls.registry(), follower, ends, ownership, clock);
        housekeeping = new Housekeeping(() -> workspace.removeIdle(config.folders().retention()));
        completions = new CompletionService(config, state, counts, new RegistryModules(calls.registry(), calls.guard()),
                meters, clock);
        WorkerGauges.register(meters, this, clock);
        meters.duration(WorkerMeters.FOLLOWER_STANDS_STILL, "age of the state follower's last turn",
                follower::standsStill);
        load = new LoadWatch(new WatchedWorker(callTopic, lanes, poll, calls.limits()::waiting, states, ends), watch,
                meters, clock, System::nanoTime);
        meters.gauge(LoadMeters.READY, "whether the worker is ready", () -> readiness().reasons().isEmpty() ? 1 : 0);
    }

    /// The parts of a worker, none of them started.
    ///
    /// @throws RuntimeException when the topics or the brokers are not as a worker needs them, before anything is made
    static Wiring of(WorkerConfig config, MeterRegistry registry, InstantSource clock) {
        PartitionCounts counts = FleetCheck.of(config, ADMIN_TIMEOUT);
        Sandbox sandbox = Sandbox.prepare(config.folders().sandbox(), config.folders().workspace());
        try {
            return new Wiring(config, counts, registry, clock, sandbox);
        } catch (RuntimeException e) {
            sandbox.close();
            throw e;
        }
    }

    ToolRegistry registry() {
        return calls.registry();
    }

    RestartSwitch restarts() {
        return restarts;
    }

    PollLoop poll() {
        return poll;
    }

    @Override
    public int inFlight() {
        return lanes.inFlight();
    }

    @Override
    public int abandoned() {
        return calls.abandoned().running();
    }

    @Override
    public int refusedBundles() {
        return calls.registry().refusedBundles();
    }

    @Override
    public EgressCounts egress() {
        return sandbox.egress();
    }

    @Override
    public int pending() {
        return states.pending();
    }

    @Override
    public int answers() {
        return states.answers();
    }

    @Override
    public OptionalLong rememberedSince() {
        return states.rememberedSince();
    }

    @Override
    public long forgotten() {
        return states.forgotten();
    }

    @Override
    public long cancellationsForgotten() {
        return calls.cancellations().forgotten();
    }

    @Override
    public Duration commitsFailing() {
        return transactions.failing();
    }

    @Override
    public int held(PartitionListener.Hold why) {
        return poll.partitions().held(why);
    }

    Readiness readiness() {
        Readiness.Life life = poll.isDraining() ? Readiness.Life.DRAINS : Readiness.Life.RUNS;
        return new Readiness(poll.ended().isDone() ? Readiness.Life.ENDED : life, ownership.isFenced(),
                poll.partitions(), recorded.reasons(), calls.registry().problems(),
                new Readiness.Progress(transactions.failing(), load.unreadFor(), follower.standsStill(),
                        transactions.clockRefused()),
                new Readiness.Abandoned(abandoned(), config.calls().maxAbandoned()), completions.isRunning());
    }

    List<String> notices() {
        return sandbox.notices();
    }

    CallsRoute.Source shown() {
        return new CallsRoute.Source(config.identity().name(), lanes, load.held());
    }

    RunningHandlers handlers() {
        return calls.handlers();
    }

    boolean drained() {
        return poll.isDraining() && lanes.inFlight() == 0;
    }

    /// Reads the topics that the whole worker needs first; partitions come last.
    void start() {
        name.refuseIfTaken();
        follower.start();
        List<CompletableFuture<Void>> topics = new ArrayList<>(control.follow(calls.cancellations()));
        topics.addAll(operators.follow(calls.orders()));
        topics.addAll(new FollowedTopics(config.topics(), follower).follow(calls.registry(), calls.contents()));
        new SharedTopics(config.topics(), follower::read).await(topics, agents.follow());
        SharedTopics.awaitModules(registry());
        completions.start(poll::fail);
        transactions.start();
        heartbeats.start();
        resumed.start();
        poll.start();
        logs.start();
        housekeeping.start();
        registrations.start();
        load.start();
    }

    /// In the opposite order: leaving the group commits what finished, so the transaction loop ends after it.
    void stop() {
        // Needs modules alone, and takes its time to leave its group.
        CompletableFuture<Void> followed = CompletableFuture.runAsync(completions::close, Thread::startVirtualThread);
        load.close();
        housekeeping.close();
        registrations.close();
        logs.close();
        poll.close();
        heartbeats.close();
        agents.close();
        takeOvers.close();
        resumed.close();
        transactions.close();
        follower.close();
        offsetReaders.close();
        scanReaders.close();
        admin.close(ADMIN_TIMEOUT);
        followed.join();
        calls.close();
        sandbox.close();
        meters.close();
    }
}
