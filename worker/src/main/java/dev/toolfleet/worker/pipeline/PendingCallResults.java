package dev.toolfleet.worker.pipeline;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.Recalled;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.CallStanding;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.record.GuardStage;
import dev.toolfleet.worker.record.OutcomeRecords;
import dev.toolfleet.worker.record.OutputCheck;
import dev.toolfleet.worker.recovery.IdentityGate;
import dev.toolfleet.worker.registry.CatalogTool;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.telemetry.CallKeys;
import dev.toolfleet.worker.telemetry.CallTrace;
import dev.toolfleet.worker.telemetry.CallTraces;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.NullNode;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

/// Publishes the final results of calls that finished elsewhere (`docs/async-tools.md`): an outcome on `tool.call.resumed` goes to the
/// guard and becomes the call's result, at most once, because the same transaction publishes it, closes the call's entry
/// on the journal and commits the outcome's offset. An outcome for a call that no longer waits for that handle is done.
///
/// Interleavings, with the entry as the judge:
/// - read again after a crash, before the result was committed: the entry is open, and it is published;
/// - read again after that: the entry is closed, and it is done;
/// - read before this process knows that the pending result is committed: it waits for that;
/// - the assignment ends first: nothing is published, the next owner reads it again;
/// - its output breaks the export's `outputSchema`: the error takes the result's place in that one transaction. A worker
///   that reads it again judges by the declaration that is in use there, and only one verdict is committed.
public final class PendingCallResults {
    private static final Logger LOG = LoggerFactory.getLogger(PendingCallResults.class);

    private final PartitionStates states;
    private final ToolRegistry registry;
    private final OutcomeRecords outcomes;
    private final GuardStage guard;
    private final Consumer<Outcome> publisher;
    private final Predicate<CompletableFuture<Void>> committed;
    private final CallTraces traces;

    /// Hands outcomes to `publisher`.
    public PendingCallResults(PartitionStates states, ToolRegistry registry, OutcomeRecords outcomes, ResultGuard guard,
            Consumer<Outcome> publisher) {
        this(states, registry, outcomes, guard, publisher, IdentityGate::committed, CallTraces.OFF);
    }

    /// The same, traced.
    public PendingCallResults(PartitionStates states, ToolRegistry registry, OutcomeRecords outcomes, ResultGuard guard,
            Consumer<Outcome> publisher, CallTraces traces) {
        this(states, registry, outcomes, guard, publisher, IdentityGate::committed, traces);
    }

    /// @param committed waits for what runs of the call; false when the assignment ended first
    public PendingCallResults(PartitionStates states, ToolRegistry registry, OutcomeRecords outcomes, ResultGuard guard,
            Consumer<Outcome> publisher, Predicate<CompletableFuture<Void>> committed, CallTraces traces) {
        this.traces = traces;
        this.committed = committed;
        this.states = states;
        this.registry = registry;
        this.outcomes = outcomes;
        this.guard = new GuardStage(guard, OutputCheck.of(registry));
        this.publisher = publisher;
    }

    /// Ends a pending call. May wait, on the caller's thread.
    ///
    /// @param at where the outcome was read
    /// @param done told once what came of it is committed, or the assignment has ended
    public void end(Position at, ResumedCall resumed, Runnable done) {
        Completion outcome = requireNonNull(resumed.outcome(), "outcome");
        Identified run = run(at, resumed);
        if (outcome.kind() == Completion.Kind.PROGRESS) {
            // No component of the fleet writes one. A worker that ended over it would be followed by the next.
            LOG.atError().addKeyValue(LogKeys.CALL_ID, resumed.call().id())
                    .addKeyValue(LogKeys.PARTITION, at.partition())
                    .addKeyValue(LogKeys.OFFSET, at.offset()).log("progress is no outcome, passed over");
            publisher.accept(ReleasingSequel.of(outcomes.done(run), done));
            return;
        }
        while (true) {
            PartitionState state = states.of(at);
            if (state == null) {
                done.run();
                return;
            }
            switch (state.judgeOutcome(run.call(), outcome.handle())) {
                case CallStanding.Fresh() -> {
                    Identified traced = traced(run);
                    publishTraced(traced.reached(traced.recalledBy(state).endsBy(outcome.handle())), resumed.origin(),
                            outcome, done);
                    return;
                }
                case CallStanding.Twin(var ended) -> {
                    if (!committed.test(ended)) {
                        done.run();
                        return;
                    }
                }
                case CallStanding.Done() -> {
                    LOG.atDebug().addKeyValue(LogKeys.CALL_ID, resumed.call().id())
                            .addKeyValue(LogKeys.PARTITION, at.partition()).addKeyValue(LogKeys.OFFSET, at.offset())
                            .log("outcome of a call that does not wait for it");
                    publisher.accept(ReleasingSequel.of(outcomes.done(run), done));
                    return;
                }
                case CallStanding.Answered _,CallStanding.Pending _,CallStanding.Forged _,CallStanding.Conflict _,CallStanding.Open _,CallStanding.Unreadable _,CallStanding.Doubtful _ ->
                    throw new IllegalStateException("an outcome stands like a call");
            }
        }
    }

    private static Identified run(Position at, ResumedCall resumed) {
        CallOrigin origin = resumed.origin();
        Instant calledAt = origin == null ? Instant.EPOCH : origin.calledAt();
        Arrival.Call arrival = new Arrival.Call(new Position(at.partition(), at.epoch(), resumed.callOffset()),
                resumed.call(), calledAt.toEpochMilli(), TraceContext.of(origin), 0);
        return Identified.begun(IdentifiedCall.of(arrival, origin == null ? null : origin.fingerprint()), at,
                calledAt.toEpochMilli(), resumed.callOffset(), null, origin == null ? 1 : origin.attempt(),
                CallTrace.OFF);
    }

    private Identified traced(Identified run) {
        Arrival.Call arrival = run.call().arrival();
        return run.tracedBy(traces.begin(arrival.call(), arrival.trace(), true, run.at().partition(),
                run.at().offset(), -1));
    }

    private void publishTraced(Recalled run, @Nullable CallOrigin origin, Completion outcome, Runnable done) {
        try (CallKeys _ = run.keys(run.trace().spanId())) {
            publish(run, origin, outcome, done);
        } finally {
            run.trace().ended();
        }
    }

    private void publish(Recalled run, @Nullable CallOrigin origin, Completion outcome, Runnable done) {
        try {
            awaitTool(run, origin);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            done.run();
            return;
        }
        ToolRef ref = origin == null ? null : origin.tool();
        if (ref == null)
            ref = named(run.call().arrival().call().name());
        RegisteredTool tool = ref == null ? null : registry.acquire(ref);
        try {
            // Only its declaration is needed: how sensitive it is, how long its messages may be, how its output is checked.
            CallFacts known = tool == null ? run : run.reached(run.of(tool, ref));
            publisher.accept(ReleasingSequel.of(outcome(known, reply(outcome)), done));
        } finally {
            if (tool != null)
                tool.release();
        }
    }

    /// Taken for gone while it is being loaded, a tool that accesses sensitive data would be taken for one that does not.
    private void awaitTool(CallFacts run, @Nullable CallOrigin origin) throws InterruptedException {
        BooleanSupplier owned = () -> states.of(run.at()) != null;
        if (origin != null && origin.tool() != null)
            registry.awaitTool(origin.tool(), owned);
        else
            registry.awaitNamed(run.call().arrival().call().name(), owned);
    }

    /// A call that never ran names no declaration: it was not approved.
    private @Nullable ToolRef named(String name) {
        CatalogTool tool = registry.named(name);
        return tool == null ? null : tool.item().tool();
    }

    /// An outcome that could not be published would hold up everything behind it.
    private Outcome outcome(CallFacts run, ToolReply reply) {
        try {
            return outcomes.of(run, reply, guard.of(run, reply));
        } catch (RuntimeException | StackOverflowError e) {
            LOG.atError().setCause(Unquoted.of(e)).addKeyValue(LogKeys.CALL_ID, run.call().arrival().call().id())
                    .log("outcome not published");
            ToolReply broken = new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL,
                    "The work has ended, and the fleet failed to publish how: " + e.getClass().getName()));
            return outcomes.of(run, broken, new Guarded(broken, null));
        }
    }

    private static ToolReply reply(Completion outcome) {
        return switch (outcome.kind()) {
            case COMPLETED -> new ToolReply.Ok(requireNonNullElse(outcome.output(), NullNode.getInstance()));
            case FAILED -> new ToolReply.Failed(requireNonNullElse(outcome.error(),
                    ToolError.of(ErrorCode.E_TOOL, "The work failed and did not say why.")));
            case CANCELLED -> new ToolReply.Failed(cancelled(outcome.error()));
            case PROGRESS -> throw new IllegalArgumentException("progress is no outcome");
            // Its handle has ended, so nothing else ends the call.
            case UNKNOWN -> new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_OUTCOME_UNKNOWN,
                    "The work has ended in a way that this version of the fleet does not know."));
        };
    }

    /// Whatever code the sender chose: for the caller it is a cancelled call.
    private static ToolError cancelled(@Nullable ToolError said) {
        return said == null
                ? ToolError.of(ErrorCode.E_TOOL_CANCELLED, "The work was cancelled.")
                : new ToolError(ErrorCode.E_TOOL_CANCELLED.name(), ErrorCode.E_TOOL_CANCELLED.errorName(),
                        said.message(),
                        requireNonNullElse(said.suggestion(), ErrorCode.E_TOOL_CANCELLED.suggestion()),
                        said.helpUrl());
    }
}
