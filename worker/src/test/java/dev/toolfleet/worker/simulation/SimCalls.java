package dev.toolfleet.worker.simulation;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.catalog.CatalogContentView;
import dev.toolfleet.worker.catalog.CatalogGate;
import dev.toolfleet.worker.catalog.CatalogMode;
import dev.toolfleet.worker.catalog.StepCatalogs;
import dev.toolfleet.worker.commit.FrontierNotes;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.commit.TransactionLoop;
import dev.toolfleet.worker.execute.AbandonedHandlers;
import dev.toolfleet.worker.execute.CallWaits;
import dev.toolfleet.worker.execute.CancelReplies;
import dev.toolfleet.worker.execute.DeadlineLoop;
import dev.toolfleet.worker.execute.EndOrder;
import dev.toolfleet.worker.execute.HandlerExecutor;
import dev.toolfleet.worker.execute.OperandInquiry;
import dev.toolfleet.worker.execute.ReconcileInquiry;
import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.execute.Workspace;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.identity.Cancellations;
import dev.toolfleet.worker.identity.HandOvers;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.limit.LimitGate;
import dev.toolfleet.worker.override.CallWatch;
import dev.toolfleet.worker.override.LaneOverride;
import dev.toolfleet.worker.override.PendingCancels;
import dev.toolfleet.worker.pipeline.AuthorizationStage;
import dev.toolfleet.worker.pipeline.BudgetStage;
import dev.toolfleet.worker.pipeline.CallPipeline;
import dev.toolfleet.worker.pipeline.CallStages;
import dev.toolfleet.worker.pipeline.HandlerCalls;
import dev.toolfleet.worker.pipeline.HandlerStarts;
import dev.toolfleet.worker.pipeline.PendingCallResults;
import dev.toolfleet.worker.pipeline.PolicyStage;
import dev.toolfleet.worker.record.GuardStage;
import dev.toolfleet.worker.record.JournalRecords;
import dev.toolfleet.worker.record.LoopStage;
import dev.toolfleet.worker.record.OutcomeRecords;
import dev.toolfleet.worker.record.ProgressReports;
import dev.toolfleet.worker.record.RecordWriter;
import dev.toolfleet.worker.record.ResultRecords;
import dev.toolfleet.worker.record.SideRecords;
import dev.toolfleet.worker.recovery.IdentityGate;
import dev.toolfleet.worker.recovery.IntentJournal;
import dev.toolfleet.worker.recovery.OwnerJournal;
import dev.toolfleet.worker.recovery.Recovery;
import dev.toolfleet.worker.recovery.Replays;
import dev.toolfleet.worker.recovery.StartGate;
import dev.toolfleet.worker.state.ChangeSignal;
import dev.toolfleet.worker.telemetry.CallTraces;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// The real pipeline of a simulated worker.
final class SimCalls {
    static final Duration SESSION = Duration.ofSeconds(6);
    private static final WorkerMeters METERS = new WorkerMeters(new SimpleMeterRegistry());
    private static final AbandonedHandlers ABANDONED = new AbandonedHandlers(METERS);
    private static final Workspace WORKSPACE = new Workspace(Path.of("target", "simulation"), InstantSource.system());

    private static final long READ_MILLIS = 9_000;
    private static final Duration APPROVAL = Duration.ofMinutes(5);

    private final World world;
    private final Fibers.Program program;
    private final Ownership ownership;
    private final PartitionStates states;
    private final HandOvers handOvers;
    private final TransactionLoop transactions;
    private final InstantSource clock;
    private final Consumer<Outcome> publisher;
    private final LongSupplier nanos;
    private final RecordWriter writer;
    private final JournalRecords journal;
    private final OutcomeRecords outcomes;
    private final Cancellations cancellations;
    private final PendingCancels cancels;
    private final CancelReplies cancelling;

    SimCalls(World world, Fibers.Program program, String name, Ownership ownership, PartitionStates states,
            HandOvers handOvers, TransactionLoop transactions, InstantSource clock, Consumer<Outcome> publisher) {
        this.clock = clock;
        this.transactions = transactions;
        this.publisher = publisher;
        this.handOvers = handOvers;
        this.world = world;
        this.program = program;
        this.ownership = ownership;
        this.states = states;
        this.nanos = () -> world.fibers.now() * 1_000_000;
        this.writer = new RecordWriter(new Topics(""), name, clock);
        ResultRecords results = new ResultRecords(writer, clock, 1_000_000);
        this.journal = new JournalRecords(writer);
        this.outcomes = new OutcomeRecords(results, new SideRecords(writer, results, clock), journal,
                clock, "", METERS, LoopStage.OFF, open -> pending(open));
        this.cancellations = new Cancellations(clock);
        this.cancels = new PendingCancels(cancellations, states, writer, world.plant.handles(transactions::publish),
                METERS);
        Cancellations known = world.plant.heard(cancellations, clock);
        this.cancelling = new CancelReplies((call, calledAt, _) -> EndOrder.of(known.of(call, calledAt)), METERS);
    }

    private void pending(OpenHandle open) {
        cancels.pending(open);
    }

    /// The cancellations of callers, which reach handlers and handles from now on.
    ///
    /// @param running its handlers
    Cancellations cancellations(RunningHandlers running) {
        cancellations.tell((cancel, _) -> running.cancelled(cancel.instanceKey()));
        cancellations.tell(cancels::cancelled);
        return cancellations;
    }

    PendingCallResults ends() {
        return new PendingCallResults(states, SimTools.REGISTRY, outcomes, ResultGuard.NONE, publisher,
                this::isCommitted, CallTraces.OFF);
    }

    CallPipeline pipeline(RunningHandlers running) {
        DeadlineLoop deadlines = new SimTimer(world.fibers, program).asDeadlines();
        HandlerExecutor handlers = new HandlerExecutor(deadlines, running, ABANDONED, ownership,
                cancelling, clock, HandlerExecutor.GRACE, nanos);
        HandlerCalls handed = new HandlerCalls(WORKSPACE, ownership, clock, Duration.ofSeconds(30),
                new ProgressReports(writer, ResultGuard.NONE, transactions::publishOrDrop, deadlines, clock,
                        nanos));
        ChangeSignal news = new ChangeSignal();
        CatalogGate catalog = new CatalogGate(CatalogMode.REGISTRY, Duration.ZERO, new StepCatalogs(news),
                new CatalogContentView(news), news, SimTools.REGISTRY, CatalogGate.CatchUp.NOTHING);
        IntentJournal intents = new IntentJournal(new Notes(), journal, ownership, SESSION.dividedBy(2),
                clock, nanos);
        CallWaits waits = new CallWaits(running, ownership, cancelling);
        Recovery recovery = new Recovery(new SimOwners(world.cluster, handOvers), ownership, SimTools.REGISTRY,
                new ReconcileInquiry(handlers), handed, intents, running::isDraining, nanos, METERS);
        IdentityGate identity = new IdentityGate(states, outcomes, new Replays(this::result, outcomes), recovery,
                new StartGate(intents, waits,
                        (awaited, atMost) -> world.fibers.awaitOrThrow(awaited::isDone, atMost.toMillis()), clock),
                this::isCommitted);
        PolicyStage policy = new PolicyStage(new SimPolicy(world), APPROVAL, Integer.MAX_VALUE, world::newHandle,
                clock);
        HandlerStarts starts = new HandlerStarts(LimitGate.OPEN, intents, handlers, waits,
                new HandlerStarts.Again(clock, () -> 0, tool -> {}));
        return new CallPipeline(
                new CallStages(world.plant.gate(identity, cancelling), catalog, LoopStage.OFF, policy,
                        new BudgetStage(world.budget, METERS.calls(), clock),
                        new AuthorizationStage(Optional.empty(), 20, () -> "h", clock), new OperandInquiry(handlers),
                        starts,
                        new GuardStage(SimCalls::guarded), LaneOverride.NONE, CallWatch.OFF, CallTraces.OFF),
                SimTools.REGISTRY, handed, ownership, outcomes, publisher, clock);
    }

    /// Some answers kill the process that reads them.
    private static ResultGuard.Guarded guarded(ResultGuard.GuardedCall call, ToolReply reply) {
        if (!(reply instanceof ToolReply.Failed))
            requireNonNull(SimTools.RUNNING.get()).passes(SimCall.Death.GUARD);
        return new ResultGuard.Guarded(reply, null);
    }

    OwnerJournal owners() {
        return new OwnerJournal(new Notes(), journal, ownership, world.maxInFlight, clock);
    }

    FrontierNotes.Writer frontiers() {
        return journal::frontier;
    }

    PendingCancels cancels() {
        return cancels;
    }

    private byte @Nullable [] result(int partition, long offset) {
        SimLog log = world.cluster.log(Topic.RESULT, partition);
        if (!world.fibers.await(() -> log.stableEnd() > offset, READ_MILLIS))
            throw new TimeoutException("result");
        var found = log.committedAt(offset);
        return found == null ? null : found.value();
    }

    private boolean isCommitted(CompletableFuture<Void> twin) {
        world.fibers.await(twin::isDone, Long.MAX_VALUE);
        return !twin.isCompletedExceptionally();
    }

    /// Waits in simulated time where the real thread would block.
    private final class Notes implements IntentJournal.Notes {
        @Override
        public CompletableFuture<@Nullable Long> note(Position position, ProducerRecord<byte[], byte[]> record) {
            CompletableFuture<@Nullable Long> noted = transactions.note(position, record);
            world.fibers.await(noted::isDone, Long.MAX_VALUE);
            return noted;
        }

        @Override
        public CompletableFuture<@Nullable Long> send(Position position, ProducerRecord<byte[], byte[]> record) {
            return transactions.note(position, record);
        }

        @Override
        public void handOver(ProducerRecord<byte[], byte[]> record) {
            transactions.publish(record);
        }
    }
}
