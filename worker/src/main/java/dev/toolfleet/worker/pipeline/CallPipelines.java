package dev.toolfleet.worker.pipeline;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import dev.toolfleet.oauth.view.TokenDesk;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.catalog.CatalogGate;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.execute.CancelReplies;
import dev.toolfleet.worker.execute.HandlerCall;
import dev.toolfleet.worker.execute.HandlerExecutor;
import dev.toolfleet.worker.execute.HandlerRoom;
import dev.toolfleet.worker.execute.OperandInquiry;
import dev.toolfleet.worker.execute.ReconcileInquiry;
import dev.toolfleet.worker.execute.Workspace;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.limit.WorkerLimits;
import dev.toolfleet.worker.override.LaneOverride;
import dev.toolfleet.worker.override.Overrides;
import dev.toolfleet.worker.policy.BudgetGate;
import dev.toolfleet.worker.policy.BundleBudgets;
import dev.toolfleet.worker.policy.BundlePolicyGate;
import dev.toolfleet.worker.policy.PolicyGate;
import dev.toolfleet.worker.record.GuardStage;
import dev.toolfleet.worker.record.LoopConfig;
import dev.toolfleet.worker.record.LoopStage;
import dev.toolfleet.worker.record.OutcomeRecords;
import dev.toolfleet.worker.record.OutputCheck;
import dev.toolfleet.worker.record.Records;
import dev.toolfleet.worker.recovery.IdentityGate;
import dev.toolfleet.worker.recovery.IdentityStage;
import dev.toolfleet.worker.recovery.IntentJournal;
import dev.toolfleet.worker.recovery.Journal;
import dev.toolfleet.worker.recovery.Recovery;
import dev.toolfleet.worker.recovery.Replays;
import dev.toolfleet.worker.recovery.StartGate;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.telemetry.CallTraces;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Factory of the pipelines: that of a worker in a fleet, and that of a worker without a broker.
public final class CallPipelines {
    /// Time that a call without a deadline may be around its handler, beside the handler's default timeout.
    private static final Duration AROUND = Duration.ofSeconds(30);

    private final Setup setup;
    private final Rooms rooms;
    private final Ownership ownership;
    private final Workspace workspace;
    private final HandlerCalls.Agents agents;
    private final CallTraces traces;
    private final InstantSource clock;
    private final WorkerMeters meters;

    /// Settings of calls.
    ///
    /// @param defaultTimeout of a handler whose export sets none
    /// @param approvalTimeout of a person
    /// @param maxOpenApprovals of an instance
    /// @param loops limits on calls that repeat without a change
    /// @param freshness of an assignment in which a call is noted without a look at the group
    public record Setup(Duration defaultTimeout, Duration approvalTimeout, int maxOpenApprovals, LoopConfig loops,
            Duration freshness) {}

    /// Rooms that a call passes through.
    ///
    /// @param tokens the source of tokens; empty in a process without the fleet's OAuth key
    public record Rooms(ToolRegistry registry, CatalogGate catalog, WorkerLimits limits, ResultGuard guard,
            Records records, HandlerRoom handlers, Overrides overrides, Optional<TokenDesk> tokens) {}

    /// Parts of the fleet around a worker.
    ///
    /// @param states memory of each partition
    /// @param results reads earlier results
    /// @param owners reads the words of a partition's earlier owners
    /// @param notes takes journal records
    /// @param publisher takes records without an offset, at once
    /// @param progress takes records of `tool.progress`
    /// @param pending receives the handles that calls wait for
    public record Fleet(PartitionStates states, Replays.Results results, Recovery.EarlierOwners owners,
            IntentJournal.Notes notes, Consumer<ProducerRecord<byte[], byte[]>> publisher,
            Consumer<ProducerRecord<byte[], byte[]>> progress, Consumer<OpenHandle> pending) {}

    /// Makes no pipeline yet.
    ///
    /// @param agents connects calls with agents
    public CallPipelines(Setup setup, Rooms rooms, Ownership ownership, Workspace workspace, HandlerCalls.Agents agents,
            CallTraces traces, InstantSource clock, WorkerMeters meters) {
        this.setup = setup;
        this.rooms = rooms;
        this.ownership = ownership;
        this.workspace = workspace;
        this.agents = agents;
        this.traces = traces;
        this.clock = clock;
        this.meters = meters;
    }

    /// Makes the pipeline of a worker without a broker: every call runs, because no approval can come, and nothing is
    /// noted.
    public CallPipeline local(Consumer<Outcome> publisher) {
        Made made = new Made(record -> {}, open -> {});
        return pipeline(publisher, made, IdentityStage.EVERY_CALL_RUNS, Journal.NONE, PolicyGate.OPEN,
                LaneOverride.NONE);
    }

    /// Makes the pipeline of a worker in a fleet.
    public CallPipeline of(Fleet fleet, Consumer<Outcome> publisher) {
        Made made = new Made(fleet.progress(), fleet.pending());
        HandlerRoom handlers = rooms.handlers();
        IntentJournal intents = new IntentJournal(fleet.notes(), rooms.records().journal(), ownership,
                setup.freshness(), clock, System::nanoTime);
        Recovery recovery = new Recovery(fleet.owners(), ownership, rooms.registry(),
                new ReconcileInquiry(made.executor), made.calls, intents, handlers.running()::isDraining,
                System::nanoTime, meters);
        IdentityGate identity = new IdentityGate(fleet.states(), made.outcomes,
                new Replays(fleet.results(), made.outcomes), recovery,
                new StartGate(intents, handlers.waits(cancelling()), clock));
        return pipeline(publisher, made, rooms.overrides().gate(identity), intents,
                new BundlePolicyGate(rooms.registry()::resources, clock),
                rooms.overrides().orders(fleet.publisher()));
    }

    /// Makes the part that ends calls that finished elsewhere.
    public PendingCallResults pendingResults(PartitionStates states, Consumer<Outcome> publisher) {
        return new PendingCallResults(states, rooms.registry(), rooms.records().outcomes(loops(), open -> {}),
                rooms.guard(),
                publisher, traces);
    }

    private CallPipeline pipeline(Consumer<Outcome> publisher, Made made, IdentityStage identity, Journal journal,
            PolicyGate policy, LaneOverride help) {
        WorkerLimits limits = rooms.limits();
        PolicyStage asking = new PolicyStage(policy, setup.approvalTimeout(), setup.maxOpenApprovals(),
                HandlerCall::unguessable, clock);
        HandlerStarts starts = new HandlerStarts(limits, journal, made.executor, rooms.handlers().waits(cancelling()),
                new HandlerStarts.Again(clock, () -> ThreadLocalRandom.current().nextDouble(), limits::retried));
        CallStages stages = new CallStages(identity, rooms.catalog(), loops(), asking,
                new BudgetStage(budgets(), meters.calls(), clock),
                new AuthorizationStage(rooms.tokens(), setup.maxOpenApprovals(), HandlerCall::unguessable, clock),
                new OperandInquiry(made.executor), starts,
                new GuardStage(rooms.guard(), OutputCheck.of(rooms.registry())), help,
                rooms.overrides().watch(setup.defaultTimeout().plus(AROUND)), traces);
        return new CallPipeline(stages, rooms.registry(), made.calls, ownership, made.outcomes, publisher, clock);
    }

    private BudgetGate budgets() {
        return new BundleBudgets(rooms.registry()::resources);
    }

    private LoopStage loops() {
        return LoopStage.of(setup.loops(), rooms.registry());
    }

    private CancelReplies cancelling() {
        return rooms.overrides().replies();
    }

    /// Parts that the pipelines have in common.
    private final class Made {
        final OutcomeRecords outcomes;
        final HandlerExecutor executor;
        final HandlerCalls calls;

        Made(Consumer<ProducerRecord<byte[], byte[]>> progress, Consumer<OpenHandle> pending) {
            outcomes = rooms.records().outcomes(loops(), pending);
            executor = rooms.handlers().executor(cancelling());
            calls = new HandlerCalls(workspace, ownership, clock, setup.defaultTimeout(),
                    rooms.records().progress(rooms.guard(), progress, rooms.handlers().deadlines()), agents);
        }
    }
}
