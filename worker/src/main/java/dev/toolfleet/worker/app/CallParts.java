package dev.toolfleet.worker.app;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.catalog.CatalogContentView;
import dev.toolfleet.worker.catalog.CatalogGate;
import dev.toolfleet.worker.catalog.StepCatalogs;
import dev.toolfleet.worker.commit.FrontierNotes;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.execute.AbandonedHandlers;
import dev.toolfleet.worker.execute.CallWaits;
import dev.toolfleet.worker.execute.CancelReplies;
import dev.toolfleet.worker.execute.DeadlineLoop;
import dev.toolfleet.worker.execute.EndOrder;
import dev.toolfleet.worker.execute.HandlerCall;
import dev.toolfleet.worker.execute.HandlerExecutor;
import dev.toolfleet.worker.execute.OperandInquiry;
import dev.toolfleet.worker.execute.ReconcileInquiry;
import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.execute.Workspace;
import dev.toolfleet.worker.guard.FleetGuard;
import dev.toolfleet.worker.guard.FleetSecrets;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.Cancellations;
import dev.toolfleet.worker.identity.LaneOrders;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.limit.WorkerLimits;
import dev.toolfleet.worker.override.CancelGate;
import dev.toolfleet.worker.override.DeadlineWatch;
import dev.toolfleet.worker.override.LaneOrderExecutor;
import dev.toolfleet.worker.override.LaneOverride;
import dev.toolfleet.worker.override.OrderAudit;
import dev.toolfleet.worker.override.PendingCancels;
import dev.toolfleet.worker.pipeline.CallPipeline;
import dev.toolfleet.worker.pipeline.HandlerCalls;
import dev.toolfleet.worker.pipeline.HandlerStarts;
import dev.toolfleet.worker.pipeline.PendingCallResults;
import dev.toolfleet.worker.pipeline.PolicyStage;
import dev.toolfleet.worker.pipeline.Stages;
import dev.toolfleet.worker.policy.BundlePolicyGate;
import dev.toolfleet.worker.policy.PolicyGate;
import dev.toolfleet.worker.record.JournalRecords;
import dev.toolfleet.worker.record.OutcomeRecords;
import dev.toolfleet.worker.record.ProgressReports;
import dev.toolfleet.worker.record.RecordWriter;
import dev.toolfleet.worker.record.ResultRecords;
import dev.toolfleet.worker.record.SideRecords;
import dev.toolfleet.worker.recovery.IdentityGate;
import dev.toolfleet.worker.recovery.IdentityStage;
import dev.toolfleet.worker.recovery.IntentJournal;
import dev.toolfleet.worker.recovery.Journal;
import dev.toolfleet.worker.recovery.OwnerJournal;
import dev.toolfleet.worker.recovery.Recovery;
import dev.toolfleet.worker.recovery.Replays;
import dev.toolfleet.worker.recovery.StartGate;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.state.ChangeSignal;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import dev.toolfleet.worker.tools.selfrestart.Restarts;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Parts that a call passes through, without the Kafka clients around them: the same with a broker and without one.
final class CallParts implements AutoCloseable {
    /// Room that key, headers and framing take of a record beside its value. Ids have at most 1,024 characters; five of
    /// them make the identity, whose characters may take six bytes each.
    private static final int RECORD_OVERHEAD = 48 * 1024;
    private static final int MAX_RESULT = Topic.RESULT.maxRecordBytes() - RECORD_OVERHEAD;
    /// Room that the fields of a result take beside its output.
    private static final int ENVELOPE = 64 * 1024;
    /// Time that a call without a deadline may be around its handler, beside the handler's default timeout.
    private static final Duration AROUND = Duration.ofSeconds(30);

    private final WorkerConfig config;
    private final Workspace workspace;
    private final InstantSource clock;
    private final DeadlineLoop deadlines = new DeadlineLoop();
    private final RunningHandlers handlers = new RunningHandlers();
    private final WorkerMeters meters;
    private final HandlerCalls.Agents agents;
    private final AbandonedHandlers abandoned;
    private final StepCatalogs steps;
    private final CatalogContentView contents;
    private final ToolRegistry registry;
    private final WorkerLimits limits;
    private final CatalogGate catalog;
    private final ResultGuard guard;
    private final Cancellations cancellations;
    private final LaneOrders orders;
    private final TraceExport tracing;

    /// Parts of the process that calls reach.
    ///
    /// @param restarts what ends it
    /// @param sandbox where programs of tools run
    /// @param agents how calls speak to agents
    record Host(Restarts restarts, Sandbox sandbox, HandlerCalls.Agents agents) {}

    CallParts(WorkerConfig config, Workspace workspace, InstantSource clock,
            CatalogGate.CatchUp catchUp, WorkerMeters meters, Host host, PartitionStates states) {
        this.config = config;
        this.agents = host.agents();
        this.meters = meters;
        this.abandoned = new AbandonedHandlers(meters);
        this.workspace = workspace;
        this.clock = clock;
        this.tracing = TraceExport.of(config.calls().tracing(), config.identity().name());
        ChangeSignal news = new ChangeSignal();
        this.steps = new StepCatalogs(news);
        this.contents = new CatalogContentView(news);
        this.cancellations = new Cancellations(clock);
        this.orders = new LaneOrders(clock);
        cancellations.tell((cancel, writtenAt) -> handlers.cancelled(cancel.instanceKey()));
        this.registry = new ToolRegistry(FleetModules.of(config.folders().bundles(),
                new SelectableTools(() -> registry().resources(), clock), host.restarts(), host.sandbox(),
                config.folders().workspace(), config.calls().egress().list(), config.ceilings()),
                config.folders().trust(), config.calls().extensions(), clock,
                () -> {
                    news.signal();
                    limits().changed();
                });
        this.limits = new WorkerLimits(registry, states::pending, clock, System::nanoTime,
                Runtime.getRuntime().availableProcessors(), meters);
        states.tell(limits::freed);
        this.catalog = new CatalogGate(config.calls().catalogMode(), config.calls().catalogWait(), steps, contents,
                news,
                registry, catchUp);
        this.guard = new FleetGuard(registry::resources,
                new FleetSecrets(config.kafka().properties(), System.getenv()), MAX_RESULT - ENVELOPE);
    }

    ResultGuard guard() {
        return guard;
    }

    ToolRegistry registry() {
        return registry;
    }

    WorkerLimits limits() {
        return limits;
    }

    StepCatalogs steps() {
        return steps;
    }

    CatalogContentView contents() {
        return contents;
    }

    RunningHandlers handlers() {
        return handlers;
    }

    AbandonedHandlers abandoned() {
        return abandoned;
    }

    Cancellations cancellations() {
        return cancellations;
    }

    LaneOrders orders() {
        return orders;
    }

    /// Makes the part that carries out operators' orders for calls.
    ///
    /// @param publisher takes records at once
    LaneOrderExecutor giveUp(Consumer<ProducerRecord<byte[], byte[]>> publisher) {
        return new LaneOrderExecutor(orders, cancelling(), deadlines, HandlerExecutor.GRACE,
                new OrderAudit(writer(), publisher, clock));
    }

    private DeadlineWatch watch() {
        return new DeadlineWatch(deadlines, abandoned, clock, config.calls().defaultTimeout().plus(AROUND),
                HandlerExecutor.GRACE);
    }

    private CancelReplies cancelling() {
        return new CancelReplies((call, calledAt, at) -> {
            LaneOrder failed = orders.fails(call.instanceKey(), at);
            return failed != null ? EndOrder.of(failed) : EndOrder.of(cancellations.of(call, calledAt));
        }, meters);
    }

    boolean isReadOnly(Arrival arrival) {
        return switch (arrival) {
            case Arrival.Call call -> registry.readOnly(call.call().name());
            case Arrival.Granted granted -> registry.readOnly(granted.call().call().name());
            case Arrival.Malformed _ -> false;
        };
    }

    /// The pipeline of a worker without a broker: every call runs, because no approval can come, and nothing is noted.
    CallPipeline local(Ownership ownership, Consumer<Outcome> publisher) {
        return pipeline(ownership, publisher, new Made(ownership, Listeners.NONE), IdentityStage.EVERY_CALL_RUNS,
                Journal.NONE, PolicyGate.OPEN, LaneOverride.NONE);
    }

    /// The pipeline of a worker in a fleet.
    CallPipeline pipeline(Ownership ownership, Consumer<Outcome> publisher, FleetParts fleet) {
        Made made = new Made(ownership, fleet.ears());
        Duration freshness = config.identity().sessionTimeout().dividedBy(2);
        IntentJournal intents = new IntentJournal(fleet.notes(), made.journal, ownership, freshness, clock,
                System::nanoTime);
        Recovery recovery = new Recovery(fleet.owners(), ownership, registry, new ReconcileInquiry(made.handlers),
                made.calls, intents, handlers::isDraining, System::nanoTime, meters);
        IdentityGate identity = new IdentityGate(fleet.states(), made.outcomes,
                new Replays(fleet.results(), made.outcomes), recovery,
                new StartGate(intents, new CallWaits(handlers, ownership, made.cancelling), clock));
        return pipeline(ownership, publisher, made, new CancelGate(identity, made.cancelling), intents,
                new BundlePolicyGate(registry::resources, clock), giveUp(fleet.publisher()));
    }

    /// Makes the part that cancels the work behind the handles of cancelled calls; cancellations reach it from now on.
    PendingCancels pendingCancels(PartitionStates states, Consumer<ProducerRecord<byte[], byte[]>> publisher) {
        PendingCancels pending = new PendingCancels(cancellations, states, writer(), publisher, meters);
        cancellations.tell(pending::cancelled);
        return pending;
    }

    /// Journals who owns each partition.
    OwnerJournal owners(Ownership ownership, IntentJournal.Notes notes) {
        return new OwnerJournal(notes, new JournalRecords(writer()), ownership, config.lanes().maxInFlight(), clock);
    }

    /// Makes the records that journal how far partitions are finished.
    FrontierNotes.Writer frontiers() {
        return new JournalRecords(writer())::frontier;
    }

    private RecordWriter writer() {
        return new RecordWriter(config.topics(), config.identity().name(), clock);
    }

    /// Makes the part that ends calls that finished elsewhere.
    PendingCallResults pendingEnds(Ownership ownership, PartitionStates states, Consumer<Outcome> publisher) {
        return new PendingCallResults(states, registry, new Made(ownership, Listeners.NONE).outcomes, guard, publisher,
                tracing.traces());
    }

    private CallPipeline pipeline(Ownership ownership, Consumer<Outcome> publisher, Made made, IdentityStage identity,
            Journal journal, PolicyGate policy, LaneOverride help) {
        PolicyStage asking = new PolicyStage(policy, config.calls().approvalTimeout(),
                config.calls().maxOpenApprovals(), HandlerCall::unguessable, clock);
        HandlerStarts starts = new HandlerStarts(limits, journal, made.handlers,
                new CallWaits(handlers, ownership, made.cancelling),
                new HandlerStarts.Again(clock, () -> ThreadLocalRandom.current().nextDouble(), limits::retried));
        Stages stages = new Stages(identity, catalog, asking, new OperandInquiry(made.handlers), starts, guard, help,
                watch(),
                tracing.traces());
        return new CallPipeline(stages, registry, made.calls, ownership, made.outcomes, publisher, clock);
    }

    /// Parts that the pipelines have in common.
    private final class Made {
        final JournalRecords journal;
        final OutcomeRecords outcomes;
        final HandlerExecutor handlers;
        final HandlerCalls calls;
        final CancelReplies cancelling = cancelling();

        Made(Ownership ownership, Listeners ears) {
            RecordWriter writer = writer();
            ResultRecords results = new ResultRecords(writer, clock, MAX_RESULT);
            journal = new JournalRecords(writer);
            outcomes = new OutcomeRecords(results, new SideRecords(writer, results, clock), journal, clock,
                    config.calls().helpBaseUrl(), meters, ears.pending());
            handlers = new HandlerExecutor(deadlines, CallParts.this.handlers, abandoned, ownership,
                    cancelling, clock, HandlerExecutor.GRACE, System::nanoTime);
            calls = new HandlerCalls(workspace, ownership, clock, config.calls().defaultTimeout(),
                    new ProgressReports(writer, guard, ears.progress(), deadlines, clock, System::nanoTime), agents);
        }
    }

    /// Parts of the fleet around a worker that calls need.
    ///
    /// @param states what each partition remembers
    /// @param results reads what was answered before
    /// @param owners what earlier owners of a partition say
    /// @param notes takes journal records
    /// @param publisher takes records without an offset, at once
    record FleetParts(PartitionStates states, Replays.Results results, Recovery.EarlierOwners owners,
            IntentJournal.Notes notes, Consumer<ProducerRecord<byte[], byte[]>> publisher, Listeners ears) {}

    /// Listeners to calls on their way.
    ///
    /// @param progress takes records of `tool.progress`
    /// @param pending is told which calls wait for their handles
    record Listeners(Consumer<ProducerRecord<byte[], byte[]>> progress, Consumer<OpenHandle> pending) {
        /// No listener.
        static final Listeners NONE = new Listeners(record -> {}, open -> {});
    }

    @Override
    public void close() {
        deadlines.close();
        registry.close();
        tracing.close();
    }
}
