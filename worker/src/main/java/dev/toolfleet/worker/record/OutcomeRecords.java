package dev.toolfleet.worker.record;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.GuardFacts;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.telemetry.CallMeters;
import dev.toolfleet.worker.telemetry.LogKeys;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Replies to the records that are published for them: result, error event, pending call, dead letter. Keeps G6: what
/// does not fit into a record, or is no JSON, becomes an error result with that reason.
public final class OutcomeRecords {
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeRecords.class);

    private final ResultRecords results;
    private final SideRecords sides;
    private final JournalRecords journal;
    private final InstantSource clock;
    private final String helpBaseUrl;
    private final WorkerMeters meters;
    private final LoopStage loops;
    private final Consumer<OpenHandle> pending;
    private final HandOverRecords handOvers;
    private final SentLabels sent;
    private final ResultLabels labels;
    private final ResultBudgets budgets;

    /// @param helpBaseUrl put before a code to make `helpUrl`; empty for none
    /// @param meters count the fates that promises are about
    /// @param loops counts final results
    /// @param pending told, on the transaction loop's thread, which calls wait for their handles from now on
    public OutcomeRecords(ResultRecords results, SideRecords sides, JournalRecords journal, InstantSource clock,
            String helpBaseUrl, WorkerMeters meters, LoopStage loops, Consumer<OpenHandle> pending) {
        this.results = results;
        this.sides = sides;
        this.journal = journal;
        this.clock = clock;
        this.helpBaseUrl = helpBaseUrl;
        this.meters = meters;
        this.loops = loops;
        this.pending = pending;
        this.handOvers = new HandOverRecords(results, sides, journal, clock);
        this.sent = journal.fleetLabels();
        this.labels = new ResultLabels(journal, sent, clock);
        this.budgets = new ResultBudgets(journal);
    }

    /// The outcome of a call that ended. A reply that cannot be published, for whatever reason, becomes an error
    /// that can.
    ///
    /// @param reply before it was guarded
    public Outcome of(CallFacts run, ToolReply reply, Guarded guarded) {
        Published published;
        try {
            published = encoded(run, guarded);
        } catch (RuntimeException | StackOverflowError e) {
            // A value that still changes, a part that is missing: code of tools and extensions made it.
            published = failed(run, ToolError.of(ErrorCode.E_TOOL_RESULT_INVALID,
                    "The call's answer cannot be published: " + e.getClass().getName()), null, LoopEnd.NONE);
        }
        return ended(run, published, run.intent() == null ? null : reply, true);
    }

    /// The records for a call that ended or waits.
    ///
    /// @param waits what it waits for; null when it has ended
    /// @param code of the error that is published; null without one
    private record Published(List<ProducerRecord<byte[], byte[]>> records, @Nullable PendingCall waits,
            @Nullable String code) {}

    private Outcome ended(CallFacts run, Published published, @Nullable ToolReply reply, boolean replaceable) {
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>(published.records());
        PendingCall waits = published.waits();
        OpenHandle waitsFor = waits == null ? null : PendingRecords.open(run, waits);
        all.addAll(sides.audit(run, waits));
        all.addAll(labels.of(run));
        // An error publishes no messages.
        if (published.code() == null)
            all.addAll(sent.sent(run));
        all.addAll(budgets.of(run));
        if (waitsFor != null) {
            all.add(journal.openHandle(run, waitsFor));
            // The handle takes the place of the call's own intent, or of an earlier handle; a start that was approved is
            // noted under another name.
            if (run.grant() != null && run.intent() != null)
                all.add(journal.tombstone(run));
        } else if (run.isJournaled()) {
            all.addAll(journal.closed(run));
        }
        return new Outcome(run.at(), all,
                new CallSequel(this, run, reply, replaceable, waits, waitsFor, published.code()));
    }

    private Published encoded(CallFacts run, Guarded guarded) {
        return switch (guarded.reply()) {
            case ToolReply.Ok(var output) -> {
                LoopEnd loop = loops.ended(run, guarded.reply());
                yield switch (results.ok(run, output, guarded.facts(), loop)) {
                    case ResultRecords.Fits(var record) -> new Published(noticed(run, List.of(record)), null, null);
                    case ResultRecords.Unfit(var error) -> failed(run, error, guarded.facts(), loop);
                };
            }
            case ToolReply.Pending pending ->
                pending(run, pending, PendingRecords.of(run, pending, guarded.hidden(), clock.instant()),
                        guarded.facts());
            case ToolReply.Failed(var error) ->
                failed(run, error, guarded.facts(), loops.ended(run, guarded.reply()));
        };
    }

    /// The outcome of a record that was answered before: nothing but its offset.
    public Outcome done(CallFacts run) {
        return new Outcome(run.at(), List.of());
    }

    /// The outcome of a duplicate of a call that waits for its handle, when its pending result is forgotten.
    public Outcome stillPending(CallFacts run, String handle) {
        return replay(run, results.stillPending(replayed(run), handle));
    }

    /// The outcome of a duplicate: the earlier result once more.
    public Outcome again(CallFacts run, ToolResult earlier) {
        return replay(run, results.again(replayed(run), earlier));
    }

    private static Outcome replay(CallFacts run, ProducerRecord<byte[], byte[]> record) {
        return new Outcome(run.at(), List.of(record), new ReplaySequel(run));
    }

    /// The outcome of a duplicate whose earlier result cannot be read. As a record of its own, so that it does not
    /// take the earlier one's place.
    public Outcome gone(CallFacts run, String why) {
        return replay(run, results.error(replayed(RecordNamedCalls.alone(run)), told(run, ToolError.of(
                ErrorCode.E_TOOL, "The call was answered before, and is not run again. That answer cannot be read: "
                        + why)),
                null, LoopEnd.NONE));
    }

    private CallFacts replayed(CallFacts run) {
        meters.callReplayed();
        return CallFacts.Ended.again(run);
    }

    /// The outcome of a call that has another's identity. It is answered as a record of its own, since its
    /// identity is taken.
    public Outcome conflict(CallFacts run) {
        meters.callConflicted();
        Arrival.Call arrival = run.call().arrival();
        ToolError error = ToolError.of(ErrorCode.E_CALL_IDENTITY_CONFLICT, conflicting(arrival.call()));
        CallFacts alone = RecordNamedCalls.alone(run);
        Published published = failed(alone, error, null, LoopEnd.NONE);
        return new Outcome(arrival.position(), published.records(),
                new CountedSequel(this, alone, null, published.code()));
    }

    private static String conflicting(ToolCall call) {
        String other = "but another tool or other arguments, was made ";
        return call.idempotencyKey() == null
                ? "Another call with the id '" + call.id() + "', " + other + "in step '" + call.stepId()
                        + "' of turn '" + call.turnId() + "'."
                : "Another call with the idempotencyKey '" + call.idempotencyKey() + "', " + other
                        + "in this instance by this agent.";
    }

    /// The outcome of an approval that no person gave: the dead letter, and no result, since its call waits on.
    public Outcome forged(CallFacts run, String why) {
        LOG.atError().addKeyValue(LogKeys.CALL_ID, run.call().arrival().call().id())
                .addKeyValue(LogKeys.INSTANCE, run.call().arrival().instanceKey())
                .addKeyValue(LogKeys.ORIGIN, sides.origin(run.at())).addKeyValue(LogKeys.REASON, why)
                .log("approval refused, its record is forged");
        meters.calls().deadLetter();
        return new Outcome(run.at(), List.of(sides.forged(run, why)));
    }

    /// The outcome of a call that finishes later and was handed over so.
    public Outcome pendingElsewhere(CallFacts run, PendingCall pending, Guarded guarded) {
        if (!(guarded.reply() instanceof ToolReply.Pending reply))
            return of(run, guarded.reply(), guarded);
        return ended(run,
                pending(run, reply,
                        PendingRecords.handedOver(run, pending, reply.output()).hiding(guarded.hidden()),
                        guarded.facts()),
                reply, true);
    }

    /// The outcome in the place of one that the broker refuses.
    private Outcome refused(CallFacts run, Throwable cause) {
        ToolError error = cause instanceof RecordTooLargeException || cause instanceof RecordBatchTooLargeException
                ? ToolError.of(ErrorCode.E_TOOL_RESULT_TOO_LARGE,
                        "The broker refuses the result: " + cause.getMessage())
                : ToolError.of(ErrorCode.E_TOOL_RESULT_INVALID, "The broker refuses the result: " + cause.getMessage());
        return ended(run, failed(run, error, null, LoopEnd.NONE), new ToolReply.Failed(error), false);
    }

    /// The outcome of a call that the fleet itself failed to run.
    ///
    /// @param run what was learnt of it; null when not even its identity was
    /// @param at the record that is finished with it
    public Outcome broken(Arrival.Call call, @Nullable CallFacts run, Position at, Throwable cause) {
        Identified unknown = RecordNamedCalls.unidentified(call, at, clock.millis());
        CallFacts failed = run == null ? unknown : run.identified().as(unknown.call(), at, unknown.startedAt());
        ErrorCode code = run == null || !run.isAnnounced() ? ErrorCode.E_TOOL : ErrorCode.E_TOOL_OUTCOME_UNKNOWN;
        Published published = failed(failed, ToolError.of(code,
                "The fleet failed to run the call: " + cause.getClass().getName() + (code == ErrorCode.E_TOOL
                        ? ""
                        : ". Its start had been noted, so it may have happened.")),
                null, LoopEnd.NONE);
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(published.records());
        if (run != null && run.grant() != null) {
            records.addAll(journal.closed(run));
            records.addAll(budgets.ofBroken(run));
            return new Outcome(at, records, new CallSequel(this, run, null, false, null, null, code.name()));
        }
        if (run != null && run.intent() != null)
            records.add(journal.tombstone(run));
        if (run != null)
            records.addAll(budgets.ofBroken(run));
        return new Outcome(at, records, new CountedSequel(this, failed, run, published.code()));
    }

    /// The outcome of a record that is no call: an error result where a caller can be named, and the dead letter.
    ///
    /// @param guard for the reason, which may quote the record
    public Outcome malformed(Arrival.Malformed malformed, GuardStage guard) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        ToolCall caller = malformed.caller();
        Outcome.Sequel sequel = Outcome.Sequel.NONE;
        meters.calls().deadLetter();
        if (caller != null) {
            Arrival.Call as = new Arrival.Call(malformed.position(), caller, malformed.raw().timestamp(), null,
                    malformed.bytes());
            CallFacts run = RecordNamedCalls.unidentified(as, malformed.position(), clock.millis());
            ToolReply why = new ToolReply.Failed(ToolError.of(ErrorCode.E_CALL_MALFORMED,
                    "The call is not well formed: " + malformed.reason()));
            Published published = encoded(run, guard.of(run, why, false));
            sequel = new CountedSequel(this, run, null, published.code());
            records.addAll(published.records());
        }
        records.add(sides.deadLetter(malformed));
        return new Outcome(malformed.position(), records, sequel);
    }

    /// A call's result was committed.
    ///
    /// @param waits true if it is one that waits for a handle
    /// @param code of its error; null without one
    private void counted(CallFacts run, boolean waits, @Nullable String code) {
        CallMeters calls = meters.calls();
        CallMeters.Status status = code == null ? CallMeters.Status.OK : CallMeters.Status.ERROR;
        calls.completed(run.ref(), waits ? CallMeters.Status.PENDING : status, code);
        long appended = run.call().arrival().appendedAt();
        if (run.at().source() == Position.Source.CALLS)
            calls.waited(Math.max(0, run.startedAt() - appended));
        AuditRecords.shadows(run)
                .forEach(shadow -> calls.shadowed(shadow.cause().rule(), shadow.would().text()));
        if (run.ran())
            calls.handled(run.ref(), run.handlerMillis());
        // The time of the call went with the origin of the outcome.
        if (!waits && appended > 0)
            calls.ended(Math.max(0, clock.millis() - appended));
    }

    private Published failed(CallFacts run, ToolError error, @Nullable GuardFacts facts, LoopEnd loop) {
        if (error.code().equals(ErrorCode.E_TOOL_OUTCOME_UNKNOWN.name()))
            meters.callUnknown();
        ToolError told = told(run, error);
        return new Published(List.of(results.error(run, told, facts, loop), sides.error(run, told)), null, told.code());
    }

    private ToolError told(CallFacts run, ToolError error) {
        ToolError told = PublishableError.of(error, run.errorLimit());
        return told.helpUrl() == null && !helpBaseUrl.isEmpty() ? told.helpAt(helpBaseUrl + told.code()) : told;
    }

    /// A result that is no error, with its call's messages to agents, and the notice that its call named another catalog
    /// than the one that judged it.
    private List<ProducerRecord<byte[], byte[]>> noticed(CallFacts run, List<ProducerRecord<byte[], byte[]>> records) {
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>(records);
        all.addAll(sides.said(run));
        String named = run.call().arrival().call().catalogDigest();
        String judged = run.catalogDigest();
        if (named != null && judged != null && !named.equals(judged))
            all.add(sides.mismatch(run, named, judged));
        return all;
    }

    private Published pending(CallFacts run, ToolReply.Pending pending, PendingCall call,
            @Nullable GuardFacts facts) {
        return switch (results.pending(run, pending, facts)) {
            case ResultRecords.Unfit(var error) -> unkept(run, error, facts);
            case ResultRecords.Fits(var record) -> {
                ProducerRecord<byte[], byte[]> open = sides.pending(run, call);
                yield open != null
                        ? new Published(noticed(run, List.of(record, open)), call, null)
                        : unkept(run, PendingRecords.tooLarge(call), facts);
            }
        };
    }

    /// A call whose pending result cannot be published, or whose record cannot be kept, ends with an error.
    private Published unkept(CallFacts run, ToolError error, @Nullable GuardFacts facts) {
        return failed(run, error, facts, loops.ended(run, new ToolReply.Failed(error)));
    }

    /// Sequel of a call's end: its partition remembers the answer; the next owner of a lost partition gets a hand-over; an
    /// error takes the place of a result that the broker refuses (G6).
    ///
    /// @param reply as the call ended, before the guard: its publisher guards it; null when no next owner would ask
    /// @param replaceable true if something smaller can be published instead
    /// @param waits the record of a pending call; null for a call that has ended
    /// @param waitsFor the handle that a pending call waits for; null for a call that has ended
    /// @param code of the error that is published; null without one
    private record CallSequel(OutcomeRecords outcomes, CallFacts run, @Nullable ToolReply reply, boolean replaceable,
            @Nullable PendingCall waits, @Nullable OpenHandle waitsFor,
            @Nullable String code) implements Outcome.Sequel {
        @Override
        public void committed(long offset, long appendedAt) {
            outcomes.counted(run, waitsFor != null, code);
            ResultBudgets.committed(run);
            PartitionState state = run.state();
            if (state == null)
                return;
            if (waitsFor != null) {
                state.committedPending(run.call(), waitsFor, offset, appendedAt);
                outcomes.pending.accept(waitsFor);
            } else {
                state.committed(run.call(), offset, appendedAt);
            }
        }

        @Override
        public @Nullable ProducerRecord<byte[], byte[]> handOver() {
            return outcomes.handOvers.of(run, reply, waits);
        }

        @Override
        public @Nullable Outcome refused(Throwable cause) {
            return replaceable ? outcomes.refused(run, cause) : null;
        }
    }

    /// Sequel of an answer that no partition remembers: it is counted.
    ///
    /// @param spender the call whose spending goes with it; null for none
    private record CountedSequel(OutcomeRecords outcomes, CallFacts run, @Nullable CallFacts spender,
            @Nullable String code) implements Outcome.Sequel {
        @Override
        public void committed(long offset, long appendedAt) {
            outcomes.counted(run, false, code);
            if (spender != null)
                ResultBudgets.committed(spender);
        }
    }

    /// Sequel of the replay of an earlier result: the final result of a call whose pending one was repeated may be
    /// published now.
    ///
    /// @param run the duplicate
    private record ReplaySequel(CallFacts run) implements Outcome.Sequel {
        @Override
        public void committed(long offset, long appendedAt) {
            PartitionState state = run.state();
            if (state != null)
                state.forget(run.call());
        }
    }
}
