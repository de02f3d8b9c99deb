package dev.toolfleet.worker.recovery;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.error.ErrorText;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.Recalled;
import dev.toolfleet.worker.execute.CancelReplies;
import dev.toolfleet.worker.execute.EndOrder;
import dev.toolfleet.worker.execute.HandlerCall;
import dev.toolfleet.worker.execute.ReconcileInquiry;
import dev.toolfleet.worker.identity.FormerCall;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.recovery.IdentityStage.Abandoned;
import dev.toolfleet.worker.recovery.IdentityStage.Entry;
import dev.toolfleet.worker.registry.CatalogTool;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.telemetry.LogKeys;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

import static java.util.Objects.requireNonNullElse;

/// Decides what becomes of a call with an open intent, which an earlier owner of the partition may have run (G3): waits
/// for that owner while it can still speak, then inquires of the tool, and ends with an unknown outcome. Holds only the
/// call's lane. A call that may run twice is run again when its worker can say nothing any more. Whatever the call is, it
/// is not run when two workers died while they had it.
///
/// **Clocks.** The wait for a living owner is as long as the call may run by the owner's clock, counted from here by a
/// monotonic clock. No instant of the owner's is compared with this worker's wall clock. Otherwise: the heir's clock is an
/// hour ahead, the deadline seems to have passed, the call ends as unknown, and the next one of its lane starts beside it
/// (decision 57).
public final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    /// After the deadline a worker gives its handler a grace, and publishes.
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);
    private static final Duration LONGEST_QUESTION = Duration.ofSeconds(30);
    /// The most workers that may die of a call.
    static final int MOST_DEATHS = 2;

    private final EarlierOwners owners;
    private final Ownership ownership;
    private final ToolRegistry registry;
    private final ReconcileInquiry reconciling;
    private final Questions calls;
    private final Inheritance inheritance;
    private final BooleanSupplier leaving;
    private final LongSupplier nanos;
    private final WorkerMeters meters;

    /// A recovery that hears of earlier owners through `owners`.
    ///
    /// @param meters count calls that killed two workers
    /// @param leaving true if this worker stops: it then does not wait, and the next owner recovers the call
    /// @param nanos `System.nanoTime`
    public Recovery(EarlierOwners owners, Ownership ownership, ToolRegistry registry, ReconcileInquiry reconciling,
            Questions calls, Inheritance inheritance, BooleanSupplier leaving, LongSupplier nanos,
            WorkerMeters meters) {
        this.inheritance = inheritance;
        this.meters = meters;
        this.owners = owners;
        this.ownership = ownership;
        this.registry = registry;
        this.reconciling = reconciling;
        this.calls = calls;
        this.leaving = leaving;
        this.nanos = nanos;
    }

    /// Reader of the words of a partition's earlier owners.
    public interface EarlierOwners {
        /// Returns the hand-over of this call; waits a little for news, null when there is none.
        @Nullable
        HandOver news(int partition, String identity) throws InterruptedException;

        /// True if that process may still run calls, and when that is not known.
        boolean isMember(String memberId);

        /// True if that process can run no call any more. Reads the group anew; false when that fails.
        boolean hasLeft(String memberId);

        /// Reads everything that was handed over until now. False when that cannot be read now.
        boolean catchUp(int partition) throws InterruptedException;
    }

    /// Contexts for the questions to a tool's module.
    @FunctionalInterface
    public interface Questions {
        /// For one question, which the caller's deadline does not limit: the call may have happened.
        HandlerCall question(CallFacts run, RegisteredTool tool, Duration atMost);
    }

    /// Notes of a worker that decides about a start of an earlier owner, so that its own death counts as one more.
    public interface Inheritance {
        /// Commits that it decides. False when the assignment ended first.
        boolean inherited(CallFacts run, CallIntent intent);

        /// Leaves the decision to the next owner, as far as the partition is still this worker's.
        void returned(CallFacts run, CallIntent intent);
    }

    Entry settle(Recalled call, CallIntent intent, Abandoned abandoned) {
        Recalled run = begun(call, intent);
        HandOver said;
        try {
            said = lastWords(run, intent, intent.longestRun());
        } catch (InterruptedException e) {
            // A call without a handler is not interrupted; the intent stays open for the next owner.
            return new Entry.Left();
        }
        if (!stays(run))
            return new Entry.Left();
        EndOrder failed = run.course().failed();
        // Its tool is not asked: that may hang as well, and the call may run still.
        if (said == null && failed != null)
            return new Entry.Ended(CancelReplies.begun(failed), null);
        run = run.reached(run.after(deaths(run, intent, said)));
        if (run.deaths() >= MOST_DEATHS)
            return poisonous(run, intent);
        if (said == null && intent.mayRunTwice())
            return again(run, intent);
        if (said == null)
            return reconcile(run, intent, abandoned);
        ToolResult result = said.result();
        if (result != null) {
            // What killed the last owner may be the answer.
            if (run.deaths() > 0 && !inheritance.inherited(run, intent))
                return new Entry.Left();
            RegisteredTool tool;
            try {
                tool = tool(run, intent);
            } catch (InterruptedException e) {
                return new Entry.Left();
            }
            return handedOver(run, intent, said, result, tool);
        }
        neverBegan(run, intent);
        // Not the same attempt: an heir that could not announce the next may have had the tool refuse this one.
        return again(run, intent);
    }

    /// Gives back what a call has spent that surely never began: its first start was handed over as such. An attempt before
    /// a later one may have begun, and so may a call that may run twice.
    private static void neverBegan(CallFacts run, CallIntent intent) {
        PartitionState state = run.state();
        if (state != null && !intent.mayRunTwice() && intent.attempt() == 1 && intent.deathsBefore() == 0)
            state.budgets().neverBegan(run.noted());
    }

    private static Recalled begun(Recalled call, CallIntent intent) {
        call.course().noted(intent);
        return call.reached(call.at(intent.attempt()));
    }

    private static Entry again(Recalled run, CallIntent intent) {
        return new Entry.GoOn(run.reached(run.at(intent.attempt() + 1)));
    }

    /// Counts the workers that died while they had the call: that of the intent without a word, one that decided about it later,
    /// or the last owner of the partition, which may have had it without a note.
    private int deaths(CallFacts run, CallIntent intent, @Nullable HandOver said) {
        int before = intent.deathsBefore();
        String heir = intent.heir();
        if (heir != null)
            return owners.hasLeft(heir) ? before + 1 : before;
        String member = intent.member();
        if (said == null && (member == null || owners.hasLeft(member)))
            return before + 1;
        PartitionState state = run.state();
        return before == 0 && state != null && state.suspects().contains(run.at()) ? 1 : before;
    }

    /// Neither run nor asked about, nor is an answer of it read (decision 55).
    private Entry poisonous(Recalled run, CallIntent intent) {
        meters.callPoisonous();
        LOG.atError().addKeyValue(LogKeys.CALL_ID, run.call().arrival().call().id())
                .addKeyValue(LogKeys.TOOL, intent.toolName())
                .addKeyValue(LogKeys.PARTITION, run.at().partition()).addKeyValue(LogKeys.OFFSET, run.at().offset())
                .addKeyValue(LogKeys.WORKER, intent.worker())
                .log("two workers died while they had this call, it is given to no third: outcome unknown");
        return new Entry.Ended(new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_OUTCOME_UNKNOWN,
                "Two workers died while they had this call, which '" + intent.worker() + "' began at "
                        + intent.startedAt() + ". It is given to no third. It may have happened.")),
                null);
    }

    /// Ends a call whose intent may be that of another record, which lay at the same offset before: neither its worker nor
    /// its tool could answer for this one.
    Entry doubtful(Recalled run, CallIntent intent) {
        LOG.atError().addKeyValue(LogKeys.PARTITION, run.call().arrival().position().partition())
                .addKeyValue(LogKeys.OFFSET, run.call().arrival().position().offset())
                .log("a call of this offset was begun, in this log or in one that is gone: outcome unknown");
        begun(run, intent);
        return new Entry.Ended(unknown(intent), null);
    }

    /// Ends a call about which a later version noted something that this one cannot read: it may have begun.
    Entry unreadable(Recalled run) {
        LOG.atError().addKeyValue(LogKeys.CALL_ID, run.call().arrival().call().id())
                .addKeyValue(LogKeys.PARTITION, run.at().partition()).addKeyValue(LogKeys.OFFSET, run.at().offset())
                .log("the journal's entry of this call cannot be read, the call is not run: outcome unknown");
        run.reached(run.unread());
        return new Entry.Ended(new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_OUTCOME_UNKNOWN,
                "Another version of the fleet noted something about the call that this one cannot read. It may have"
                        + " happened.")),
                null);
    }

    private boolean stays(CallFacts run) {
        return !leaving.getAsBoolean() && ownership.current().owns(run.call().arrival().position());
    }

    /// Waits until a call of a former log can run no more. False when the partition is lost, or this worker leaves.
    boolean outlasts(CallFacts run, FormerCall former) {
        try {
            lastWords(run, former.intent(), former.left());
        } catch (InterruptedException e) {
            return false;
        }
        return stays(run);
    }

    /// Waits for the report of the intent's worker; null when none can come any more, the partition is lost, or
    /// this worker leaves.
    ///
    /// @param left the longest time that the call may still run
    private @Nullable HandOver lastWords(CallFacts run, CallIntent intent, Duration left) throws InterruptedException {
        int partition = run.call().arrival().position().partition();
        long since = nanos.getAsLong();
        Duration atMost = left.plus(LAST_WORDS);
        String member = intent.member();
        boolean caughtUp = false;
        Long ordered = null;
        while (stays(run)) {
            // Asked before the news: what a member said before it left is there when it is gone.
            boolean silent = member == null || hasPassed(since, atMost) || !owners.isMember(member);
            caughtUp = silent && owners.catchUp(partition);
            HandOver news = owners.news(partition, intent.identity());
            if (news != null && intent.isMeantBy(news))
                return news;
            if (caughtUp)
                return null;
            if (run.course().failed() != null) {
                // The worker that runs it gets the order too, and has this long to report its end.
                if (ordered == null)
                    ordered = nanos.getAsLong();
                if (hasPassed(ordered, LAST_WORDS))
                    return null;
            }
        }
        return null;
    }

    private boolean hasPassed(long since, Duration time) {
        return nanos.getAsLong() - since > time.toNanos();
    }

    private static Entry handedOver(Recalled call, CallIntent intent, HandOver said, ToolResult result,
            @Nullable RegisteredTool tool) {
        ToolErrorEvent event = said.error();
        Recalled run = call;
        if (tool != null) {
            // Only its declaration is needed: how sensitive it is, how long its messages may be.
            run = run.reached(run.of(tool, intent.tool()));
            tool.release();
        }
        run.sends().handedOver(said.agentEvents(), said.agentInstances());
        if (event != null)
            run.reached(new CallFacts.Judged(run, event.source(), event.catalogDigest(), event.policyDigest(),
                    ErrorText.DEFAULT_LIMIT));
        if (result.timing() != null)
            run.reached(CallFacts.Ended.after(run.now(), result.timing().handlerMs()));
        PendingCall pending = said.pending();
        ToolError error = result.error();
        JsonNode output = requireNonNullElse(result.output(), NullNode.instance);
        if (pending != null) {
            return new Entry.Ended(
                    new ToolReply.Pending(pending.handle(), output, pending.heartbeatTimeout(), null), pending);
        }
        return new Entry.Ended(error != null ? new ToolReply.Failed(error) : new ToolReply.Ok(output), null);
    }

    private Entry reconcile(Recalled call, CallIntent intent, Abandoned abandoned) {
        RegisteredTool tool;
        try {
            tool = tool(call, intent);
        } catch (InterruptedException e) {
            return new Entry.Left();
        }
        if (tool == null)
            return stays(call) ? new Entry.Ended(unknown(intent), null) : new Entry.Left();
        try {
            Recalled run = call.reached(call.of(tool, intent.tool()));
            if (run.deaths() > 0 && !inheritance.inherited(run, intent))
                return new Entry.Left();
            return switch (reconciling.ask(tool, calls.question(run, tool, LONGEST_QUESTION),
                    run.call().arrival().call().argsObject(), late -> abandoned.end(unknown(intent)))) {
                case ReconcileInquiry.Verdict.Happened(var reply) -> new Entry.Ended(reply, null);
                // Too late, or cut off: the next owner inquires again.
                case ReconcileInquiry.Verdict.Unknown() when stays(run) -> new Entry.Ended(unknown(intent), null);
                case ReconcileInquiry.Verdict.Unknown() -> {
                    inheritance.returned(run, intent);
                    yield new Entry.Left();
                }
                case ReconcileInquiry.Verdict.DidNotHappen() -> again(run, intent);
            };
        } finally {
            tool.release();
        }
    }

    /// Waits for a tool that is being loaded here: not asked, it could not say that the call never happened.
    private @Nullable RegisteredTool tool(CallFacts run, CallIntent intent) throws InterruptedException {
        ToolRef ref = intent.tool();
        if (ref == null)
            registry.awaitNamed(intent.toolName(), () -> stays(run));
        else
            registry.awaitTool(ref, () -> stays(run));
        if (ref == null) {
            CatalogTool named = registry.named(intent.toolName());
            ref = named == null ? null : named.item().tool();
        }
        return ref == null ? null : registry.acquire(ref);
    }

    private static ToolReply unknown(CallIntent intent) {
        return new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_OUTCOME_UNKNOWN,
                "The worker '" + intent.worker() + "' began to run the call at " + intent.startedAt()
                        + " and was lost before it could tell how the call ended. It may have happened."));
    }
}
