package dev.toolfleet.worker.app;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.toolfleet.client.topics.PartitionCounts;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.agents.AgentDesk;
import dev.toolfleet.worker.catalog.Catalogs;
import dev.toolfleet.worker.commit.PartitionListener;
import dev.toolfleet.worker.commit.TransactionLoop;
import dev.toolfleet.worker.completion.CompletionService;
import dev.toolfleet.worker.completion.StateFolder;
import dev.toolfleet.worker.egress.EgressCounts;
import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.execute.Workspace;
import dev.toolfleet.worker.identity.FleetBudgets;
import dev.toolfleet.worker.identity.FleetLabels;
import dev.toolfleet.worker.identity.FleetSpending;
import dev.toolfleet.worker.identity.FollowedTopic;
import dev.toolfleet.worker.identity.InstanceLabels;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.override.PendingCancels;
import dev.toolfleet.worker.pipeline.CallPipelines;
import dev.toolfleet.worker.poll.KafkaClients;
import dev.toolfleet.worker.poll.LoadWatch;
import dev.toolfleet.worker.poll.Membership;
import dev.toolfleet.worker.poll.PartitionLoops;
import dev.toolfleet.worker.poll.PartitionTopics;
import dev.toolfleet.worker.record.Records;
import dev.toolfleet.worker.registration.Registrations;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.state.Housekeeping;
import dev.toolfleet.worker.state.StateFollower;
import dev.toolfleet.worker.telemetry.LoadMeters;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.kafka.common.TopicPartition;

/// Makes a worker's rooms and knows the order in which they start and stop.
final class Wiring implements WorkerGauges.Sources {
    private final WorkerConfig config;
    private final PartitionCounts counts;
    private final Sandbox sandbox;
    private final Membership membership;
    private final FleetLabels labels = new FleetLabels();
    private final FollowedTopic labelTopic;
    private final FleetBudgets budgets = new FleetBudgets();
    private final FollowedTopic budgetTopic;
    private final AgentDesk agents;
    private final OAuthRoom oauth;
    private final ChangesetRoom changesets;
    private final CallParts calls;
    private final Lanes lanes;
    private final PartitionLoops loops;
    private final Housekeeping housekeeping;
    private final Registrations registrations;
    private final CompletionService completions;
    private final PartitionStates states = new PartitionStates();
    private final WorkerMeters meters;
    private final RestartSwitch restarts;
    private final LoadWatch load;

    private Wiring(WorkerConfig config, PartitionCounts counts, MeterRegistry registry, InstantSource clock,
            Sandbox sandbox) {
        this.config = config;
        this.counts = counts;
        this.sandbox = sandbox;
        meters = new WorkerMeters(registry);
        restarts = new RestartSwitch(config.life().restartAfter(), System::nanoTime);
        Workspace workspace = new Workspace(config.folders().workspace(), clock,
                (agent, instanceKey) -> agents().cwd(agent, instanceKey));
        StateFolder state = StateFolder.take(config.folders().completion().stateDir());
        KafkaClients clients = config.clients();
        membership = new Membership(clients, config.topics(), config.identity().member(), states, meters);
        TransactionLoop transactions = membership.transactions();
        labelTopic = followed(config, membership, Topic.AGENT_LABEL);
        budgetTopic = followed(config, membership, Topic.BUDGET);
        agents = new AgentDesk(new AgentDesk.Wire(config.topics(), counts, membership.follower(), membership.ends(),
                labelTopic::caughtUp, clients::replyReader), config.folders().workspace(), () -> registry().resources(),
                new LabelledRequests(this::records, labels, labelTopic::caughtUp, transactions::publish), clock);
        oauth = OAuthRoom.of(config, state.path(), () -> registry().resources(), clock);
        changesets = ChangesetRoom.of(config, () -> registry().resources(), clock);
        calls = new CallParts(config, membership.ownership(), states,
                new CallParts.Host(restarts, sandbox, workspace, agents::of, oauth, changesets),
                Catalogs.catchUp(config.topics(), membership.follower()), clock, meters);
        PartitionTopics followed = membership.followed(calls.catalogs().steps());
        PendingCancels cancels = calls.overrides().pending(states, transactions::publish);
        lanes = new Lanes(config.lanes(), transactions.uncommitted(), membership.ownership(), calls::isReadOnly,
                calls.pipelines().of(new CallPipelines.Fleet(states, membership.results(),
                        membership.earlierOwners(followed), membership.notes(), transactions::publish,
                        transactions::publishOrDrop, cancels::pending), transactions::finished));
        calls.overrides().control(lanes, transactions::publish);
        calls.overrides().clearLabels(states);
        states.labelsFrom(new InstanceLabels.Fleet.Followed(labels, labelTopic));
        states.spendingFrom(new FleetSpending(budgets, budgetTopic::caughtUp));
        loops = new PartitionLoops(membership, followed,
                new PartitionLoops.Setup(counts.groupA(), config.calls().dedupe(), config.lanes().maxInFlight()),
                new PartitionLoops.Engine(lanes, handlers(),
                        calls.pipelines().pendingResults(states, transactions::finished), cancels),
                calls.records().journal(), clock);
        registrations = new Registrations(config.topics(), config.identity().name(),
                config.identity().registrationLease(), clients::registrar, registry(), membership.follower(),
                membership.ends(), membership.ownership(), clock);
        housekeeping = new Housekeeping(() -> workspace.removeIdle(config.folders().retention()));
        completions = new CompletionService(config.completions(), state, counts, registry(), calls.guard(), meters,
                clock);
        WorkerGauges.register(meters, this, clock);
        meters.duration(WorkerMeters.FOLLOWER_STANDS_STILL, "age of the state follower's last turn",
                membership.follower()::standsStill);
        load = loops.load(calls.limits()::waiting, meters, clock);
        meters.gauge(LoadMeters.READY, "whether the worker is ready", () -> readiness().reasons().isEmpty() ? 1 : 0);
    }

    private static FollowedTopic followed(WorkerConfig config, Membership membership, Topic topic) {
        return new FollowedTopic(new TopicPartition(config.topics().name(topic), 0), membership.follower(),
                membership.ends());
    }

    /// The parts of a worker, none of them started.
    ///
    /// @throws RuntimeException when the topics or the brokers are not as a worker needs them, before anything is made
    static Wiring of(WorkerConfig config, MeterRegistry registry, InstantSource clock) {
        PartitionCounts counts = FleetCheck.of(config, Membership.ADMIN_TIMEOUT);
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

    private AgentDesk agents() {
        return agents;
    }

    private Records records() {
        return calls.records();
    }

    PartitionLoops loops() {
        return loops;
    }

    @Override
    public int inFlight() {
        return lanes.inFlight();
    }

    @Override
    public int abandoned() {
        return calls.handlers().abandoned().running();
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
        return calls.overrides().forgotten();
    }

    @Override
    public Duration commitsFailing() {
        return membership.transactions().failing();
    }

    @Override
    public int held(PartitionListener.Hold why) {
        return loops.partitions().held(why);
    }

    Readiness readiness() {
        Readiness.Life life = loops.isDraining() ? Readiness.Life.DRAINS : Readiness.Life.RUNS;
        return new Readiness(loops.ended().isDone() ? Readiness.Life.ENDED : life, membership.ownership().isFenced(),
                loops.partitions(), loops.unexpected(), calls.problems(),
                new Readiness.Progress(commitsFailing(), load.unreadFor(), membership.follower().standsStill(),
                        membership.transactions().clockRefused()),
                new Readiness.Abandoned(abandoned(), config.calls().maxAbandoned()), completions.isRunning());
    }

    List<String> notices() {
        return sandbox.notices();
    }

    CallsRoute.Source shown() {
        return new CallsRoute.Source(config.identity().name(), lanes, load.held(), calls.hosts(),
                readiness().reasons());
    }

    HostsRoute.Source hosts() {
        return new HostsRoute.Source(config.identity().name(), calls.hosts());
    }

    RunningHandlers handlers() {
        return calls.handlers().running();
    }

    boolean drained() {
        return loops.isDraining() && lanes.inFlight() == 0;
    }

    /// Reads the topics that the whole worker needs first; partitions come last.
    void start() {
        loops.refuseTakenName();
        StateFollower follower = membership.follower();
        follower.start();
        List<CompletableFuture<Void>> topics = new ArrayList<>(calls.overrides().follow(config.topics(),
                membership.admin(), follower, Membership.ADMIN_TIMEOUT));
        topics.addAll(calls.catalogs().follow(config.topics(), follower, registry()));
        topics.addAll(oauth.follow(config, counts, follower));
        new SharedTopics(config.topics(), follower::read).await(topics,
                Stream.concat(agents.follow().stream(),
                        Stream.of(labelTopic.follow(labels), budgetTopic.follow(budgets)))
                        .toList());
        SharedTopics.awaitModules(registry());
        completions.start(loops::fail);
        oauth.start(loops::fail);
        loops.start();
        housekeeping.start();
        registrations.start();
        load.start();
    }

    /// In the opposite order: leaving the group commits what finished, so the transaction loop ends after it.
    void stop() {
        // Both need modules alone, and take their time to leave their groups.
        CompletableFuture<Void> followed = CompletableFuture.allOf(
                CompletableFuture.runAsync(completions::close, Thread::startVirtualThread),
                CompletableFuture.runAsync(oauth::close, Thread::startVirtualThread));
        load.close();
        housekeeping.close();
        registrations.close();
        loops.leave();
        agents.close();
        loops.close();
        membership.close();
        followed.join();
        calls.close();
        changesets.close();
        if (config.folders().bundles() instanceof WorkerConfig.GitFolders git)
            git.close();
        sandbox.close();
        meters.close();
    }
}
