package dev.toolfleet.worker.recovery;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.CallFacts.Started;
import dev.toolfleet.worker.execute.HandlerResult;
import dev.toolfleet.worker.execute.MoveNote;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.record.JournalRecords;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps G3: commits an intent before a handler starts that is neither read-only nor idempotent, and lets it start only
/// while that commit is young. A worker that was frozen in between finds it old, and writes another, which the broker
/// refuses when the partition has another owner by then.
///
/// A call that may run twice has an intent only when its partition moves while it runs ([MovingCall]), or when an earlier
/// owner died and may have had it ([StartGate]).
public final class IntentJournal implements Journal, StartGate.Starts, Recovery.Inheritance {
    private static final Logger LOG = LoggerFactory.getLogger(IntentJournal.class);
    private final Notes notes;
    private final JournalRecords records;
    private final Ownership ownership;
    private final Duration freshness;
    private final InstantSource clock;
    private final LongSupplier nanos;

    /// @param freshness how long after its intent's transaction began a handler may start: half a session timeout
    /// @param nanos the clock of [Notes#note]
    public IntentJournal(Notes notes, JournalRecords records, Ownership ownership, Duration freshness,
            InstantSource clock, LongSupplier nanos) {
        this.notes = notes;
        this.records = records;
        this.ownership = ownership;
        this.freshness = freshness;
        this.clock = clock;
        this.nanos = nanos;
    }

    /// Publisher of journal records.
    public interface Notes {
        /// Commits a record of `tool.journal` together with its partition's offset.
        ///
        /// @return when the transaction began, by `System.nanoTime`; null when the assignment ended first
        CompletableFuture<@Nullable Long> note(Position position, ProducerRecord<byte[], byte[]> record);

        /// The same, on a thread that must not wait.
        CompletableFuture<@Nullable Long> send(Position position, ProducerRecord<byte[], byte[]> record);

        /// Publishes what the next owner of the partition must know.
        void handOver(ProducerRecord<byte[], byte[]> record);
    }

    @Override
    public HandlerResult noted(Started run, RegisteredTool tool, Instant deadline, Supplier<HandlerResult> start) {
        if (tool.export().annotations().repeatable())
            return notedIfSpent(run, deadline, start);
        if (run.isDoubtful())
            return new HandlerResult.Replied(doubtful(run), 0);
        CallIntent earlier = run.intent();
        HandlerResult refused = commit(run, deadline, null);
        HandlerResult result = refused != null ? refused : start.get();
        // What an earlier owner began is not this one's to take back.
        if (result instanceof HandlerResult.Left(boolean started) && !started && !Objects.equals(run.intent(), earlier))
            takeBack(run);
        return result;
    }

    /// Starts a call that may run twice. One that is noted already may be handed over by that note, so what it has spent is
    /// noted too. Otherwise: its result is handed over, and the next owner knows of no spending.
    private HandlerResult notedIfSpent(Started run, Instant deadline, Supplier<HandlerResult> start) {
        CallIntent noted = run.intent();
        if (noted == null || spends(run).isEmpty() || noted.spent().equals(spends(run)))
            return start.get();
        HandlerResult refused = commit(run, deadline, true);
        return refused != null ? refused : start.get();
    }

    /// No declaration is chosen yet, so the note names none, and a heir may run the call again.
    @Override
    public CompletableFuture<@Nullable Long> note(CallFacts run) {
        CallIntent taken = intent(run, run.call().arrival().call().deadline(), true, null);
        run.course().noted(taken);
        return notes.send(run.call().arrival().position(), records.intent(run, taken));
    }

    @Override
    public boolean inherited(CallFacts run, CallIntent intent) {
        CallIntent mine = intent.inheritedBy(ownership.current().group().memberId(), run.deaths());
        try {
            return uninterruptibly(notes.note(run.call().arrival().position(), records.intent(run, mine))) != null;
        } catch (ExecutionException e) {
            LOG.atWarn().addKeyValue(LogKeys.PARTITION, run.at().partition())
                    .addKeyValue(LogKeys.OFFSET, run.at().offset())
                    .addKeyValue(LogKeys.REASON, String.valueOf(e.getCause()))
                    .log("a call is recovered without a note, a death would not be counted");
            return true;
        }
    }

    @Override
    public void returned(CallFacts run, CallIntent intent) {
        var _ = notes.send(run.call().arrival().position(),
                records.intent(run, intent.inheritedBy(null, run.deaths())));
    }

    @Override
    public MoveNote onMove(Started run, RegisteredTool tool, Instant deadline) {
        return tool.export().annotations().repeatable()
                ? new MovingCall(run, () -> intent(run, deadline, true, run.ref()),
                        intent -> notes.send(run.call().arrival().position(), records.intent(run, intent)))
                : MoveNote.NONE;
    }

    /// The next owner need not wait for a call that was interrupted after all.
    @Override
    public void left(CallFacts run) {
        CallIntent intent = run.intent();
        ProducerRecord<byte[], byte[]> record = intent != null && intent.mayRunTwice()
                ? records.neverStarted(run)
                : null;
        if (record != null)
            notes.handOver(record);
    }

    private CallIntent intent(CallFacts run, @Nullable Instant deadline, @Nullable Boolean repeatable,
            @Nullable ToolRef tool) {
        return new CallIntent(run.noted(), run.call().fingerprint(), run.call().arrival().call().name(),
                run.attempt(), records.worker(), run.call().arrival().position().epoch(), clock.instant(),
                ownership.current().group().memberId(), deadline, tool, repeatable, calledAt(run),
                run.deaths() == 0 ? null : run.deaths(), null).spending(spends(run));
    }

    private static List<SpentBudget> spends(CallFacts run) {
        PartitionState state = run.state();
        return state == null ? List.of() : state.budgets().spentBy(run.noted());
    }

    /// Null once the intent is committed and young.
    ///
    /// @param repeatable true for a call that may run twice; null for any other
    private @Nullable HandlerResult commit(Started run, Instant deadline, @Nullable Boolean repeatable) {
        while (true) {
            CallIntent intent = intent(run, deadline, repeatable, run.ref());
            // Also when it cannot be committed any more: a transaction in doubt may have done so.
            run.course().noted(intent);
            Long begun;
            try {
                begun = uninterruptibly(
                        notes.note(run.call().arrival().position(), records.intent(run, intent)));
            } catch (ExecutionException e) {
                return new HandlerResult.Replied(new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL,
                        "The call was not started: that it is about to start could not be noted on "
                                + records.journal() + ": " + e.getCause())),
                        0);
            }
            if (begun == null)
                return new HandlerResult.Left(false);
            if (nanos.getAsLong() - begun < freshness.toNanos())
                return null;
        }
    }

    /// The handler may have run for this very record.
    public static ToolReply doubtful(CallFacts run) {
        LOG.atError().addKeyValue(LogKeys.PARTITION, run.call().arrival().position().partition())
                .addKeyValue(LogKeys.OFFSET, run.call().arrival().position().offset())
                .log("a call may have been run before, and nothing can tell: outcome unknown");
        return new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_OUTCOME_UNKNOWN,
                "The call may have been run before, and nothing can tell: the topic of calls was changed, or the"
                        + " group's offsets and the results since then are gone. It was not run again."));
    }

    private static @Nullable Instant calledAt(CallFacts run) {
        long appendedAt = run.call().arrival().appendedAt();
        return appendedAt > 0 ? Instant.ofEpochMilli(appendedAt) : null;
    }

    /// The handler never started: while the partition is ours the intent is deleted, and otherwise its heir is told.
    private void takeBack(CallFacts run) {
        try {
            // Without a later attempt's intent the call would begin with the first again, which its tool now refuses; and
            // the earlier deaths would be forgotten.
            if (run.attempt() == 1 && run.deaths() == 0 && ownership.current().owns(run.call().arrival().position())
                    && uninterruptibly(
                            notes.note(run.call().arrival().position(), records.tombstone(run))) != null)
                return;
        } catch (ExecutionException e) {
            // Not written: told instead.
        }
        ProducerRecord<byte[], byte[]> record = records.neverStarted(run);
        if (record != null)
            notes.handOver(record);
    }

    /// No component interrupts a call before its handler runs, but a layer of its onion may have left a flag behind.
    static <T extends @Nullable Object> T uninterruptibly(CompletableFuture<T> future) throws ExecutionException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted)
                Thread.currentThread().interrupt();
        }
    }
}
