package dev.toolfleet.worker.poll;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.PartitionFrontier;
import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.worker.commit.AssignmentStart;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.FrontierNotes;
import dev.toolfleet.worker.commit.Incarnation;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.Digest128;
import dev.toolfleet.worker.identity.EarlierAnswer;
import dev.toolfleet.worker.identity.LogStart;
import dev.toolfleet.worker.identity.LoopMark;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.poll.JournalRestore.Journaled;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/// Restores an assigned partition: finds its start and the calls that its earlier owners began or finished.
///
/// **Contract.** The order of reading is: first a stable committed offset, then the ends of the partition's topics,
/// then all committed records before these ends. So it reads all records of a transaction that committed the offset,
/// however late the transaction's markers come. If offset, journal and log disagree, [StartPoint] decides. See G1 in
/// `docs/guarantees.md`, and `docs/decisions/0048`.
///
/// **Threads.** Blocks. Has no state and no threads of its own.
public final class TakeOver {
    private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);

    private final Sources sources;
    private final DedupeConfig dedupe;
    private final FrontierNotes.Writer frontiers;
    private final LongSupplier nanos;

    /// @param dedupe the most answers that a partition remembers
    /// @param frontiers makes the records that journal the partition's frontier
    /// @param nanos `System.nanoTime`
    public TakeOver(Sources sources, DedupeConfig dedupe, FrontierNotes.Writer frontiers,
            LongSupplier nanos) {
        this.sources = sources;
        this.dedupe = dedupe;
        this.frontiers = frontiers;
        this.nanos = nanos;
    }

    /// The group's committed offsets of a partition.
    ///
    /// @param calls of `tool.call`; null if the group has none there, or none any more
    /// @param resumed the same of `tool.call.resumed`: a group's offsets of a topic that it does not subscribe to
    /// expire
    public record Start(@Nullable DoneOffsets calls, @Nullable DoneOffsets resumed) {}

    /// The broker's view of a partition.
    ///
    /// @param incarnation the ids of its logs
    /// @param beginning the oldest offset of `tool.call`
    /// @param calls the read_uncommitted end of that topic, as for the others
    public record LogEnds(Incarnation incarnation, long beginning, long calls, long journal, long results, long steps,
            long resumed) {}

    /// Sources of a take-over. Every method may wait, and throws a `KafkaException` if the answer does not come in
    /// time.
    public interface Sources {
        /// Returns the group's offsets. Waits until no transaction that may change them is open.
        Start start(int partition);

        /// Returns the present ends of the partition's topics and the ids of its logs.
        LogEnds ends(int partition);

        /// Returns the first offset below `offset` at which the log has other records than when `epoch` was its newest
        /// leader epoch; `offset` if it has the same records.
        long agreesUpTo(Topic topic, int partition, long offset, int epoch);

        /// Returns the oldest offset that a topic still holds.
        long beginning(Topic topic, int partition);

        /// Returns the append time of the first call at `offset` or behind it, in epoch milliseconds; empty if there is
        /// none.
        OptionalLong appendedAt(int partition, long offset);

        /// Returns the append time of the newest record, in epoch milliseconds; 0 if there is none.
        long newest(Topic topic, int partition);

        /// Returns the offset of the first record that was appended at that time or later; -1 if there is none.
        long firstSince(Topic topic, int partition, long time);

        /// Reads the committed records in `[from, end)` in their order.
        void read(Topic topic, int partition, long from, long end, Consumer<ConsumerRecord<byte[], byte[]>> each);

        /// True if the group's coordinator has no member of that id now.
        boolean hasLeft(String memberId);

        /// Waits until the step catalogs before `end` are read.
        void awaitSteps(int partition, long end);
    }

    /// Restored partition, which may start.
    ///
    /// @param from its start
    /// @param state the calls that earlier owners began or finished
    /// @param log the ids of its logs; null when unknown
    /// @param found the disagreements
    public record Restored(AssignmentStart from, PartitionState state, @Nullable Incarnation log,
            List<Discrepancy> found) {
        /// Start on `tool.call`.
        public DoneOffsets start() {
            return from.calls();
        }

        /// Start on `tool.call.resumed`.
        public DoneOffsets resumed() {
            return from.resumed();
        }
    }

    /// Takes a partition over.
    ///
    /// @throws org.apache.kafka.common.KafkaException if a topic cannot be read now; try again
    public Restored restore(int partition) {
        Start said = sources.start(partition);
        LogEnds ends = sources.ends(partition);
        PartitionState state = new PartitionState(dedupe, nanos);
        JournalRestore journal = new JournalRestore(state);
        sources.read(Topic.JOURNAL, partition, 0, ends.journal(), journal::restore);
        Journaled newest = journal.frontier();
        PartitionFrontier journaled = newest == null ? null : newest.frontier();
        StartPoint start = StartPoint.of(said.calls(), journaled,
                new StartPoint.Log(ends.incarnation(), ends.beginning(), ends.calls()),
                (offset, epoch) -> sources.agreesUpTo(Topic.CALL, partition, offset, epoch));
        // A call that is still to come is appended after the newest result. Without a call, that result's time counts,
        // never this worker's clock. Otherwise: a clock that is ahead puts all results outside the window, and a
        // duplicate is run.
        long appendedAt = sources.appendedAt(partition, start.calls().frontier())
                .orElseGet(() -> sources.newest(Topic.RESULT, partition));
        state.restoreStart(new LogStart(start.calls().frontier(), ends.calls(), appendedAt, start.sameLog(),
                new LogStart.Doubt(start.mirrored(), newest == null || start.isOfGroup(said.calls())
                        ? Long.MIN_VALUE
                        : doubtUntil(partition, newest, appendedAt, ends))));
        sources.read(Topic.RESULT, partition, firstAnswer(partition, appendedAt, ends.results()), ends.results(),
                record -> restoreAnswer(record, state));
        sources.awaitSteps(partition, ends.steps());
        state.restored(ends.resumed(), journal.appendedAt());
        List<Discrepancy> found = new ArrayList<>(start.found());
        DoneOffsets resumed = resumed(partition, said.resumed(), journaled, ends, state, found);
        report(partition, found);
        suspect(partition, journal.owner(), ends, state, start.calls(), resumed);
        return new Restored(
                new AssignmentStart(start.calls(), resumed,
                        new FrontierNotes(partition, ends.incarnation(), appendedAt, frontiers, nanos),
                        differs(said.calls(), start.calls()) || differs(said.resumed(), resumed),
                        said.calls() != null),
                state, ends.incarnation(), found);
    }

    /// Notes the calls of a dead owner: an owner that has left the group without giving the partition up in order. One
    /// of its calls may be the cause (`docs/decisions/0055`). An owner that only lost the partition may not have noted
    /// the calls of the owner that died before it, so these are noted again.
    private void suspect(int partition, @Nullable PartitionOwner owner, LogEnds ends, PartitionState state,
            DoneOffsets calls, DoneOffsets resumed) {
        if (owner == null)
            return;
        PartitionOwner silent = sources.hasLeft(owner.member()) ? owner : owner.dead();
        if (silent == null)
            return;
        PartitionOwner dead = silent.diedBefore(ends.calls(), ends.resumed());
        if (calls.frontier() >= requireNonNull(dead.callsEnd())
                && resumed.frontier() >= requireNonNull(dead.resumedEnd()))
            return;
        state.suspects().restore(dead);
        LOG.atWarn().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.WORKER, dead.worker())
                .log("owner of a partition died: the starts of its possible calls are noted");
    }

    /// Returns the append time up to which a call may have been answered although no result of it is left. If the
    /// group's offset does not count, only results show the answered calls behind the frontier. If results since then
    /// may have been deleted, calls that were appended in the frontier's minute are in doubt.
    private long doubtUntil(int partition, Journaled newest, long appendedAt, LogEnds ends) {
        long beginning = sources.beginning(Topic.RESULT, partition);
        long since = sources.firstSince(Topic.RESULT, partition,
                Math.max(0, appendedAt - LogStart.CLOCKS_MILLIS));
        boolean deleted = beginning > 0 && (since < 0 ? beginning >= ends.results() : since <= beginning);
        return deleted
                ? newest.at() + FrontierNotes.INTERVAL.toMillis() + LogStart.CLOCKS_MILLIS
                : Long.MIN_VALUE;
    }

    private static boolean differs(@Nullable DoneOffsets committed, DoneOffsets start) {
        return committed != null && !committed.equals(start);
    }

    private static void report(int partition, List<Discrepancy> found) {
        for (Discrepancy each : found) {
            LOG.atError().addKeyValue(LogKeys.PARTITION, partition)
                    .addKeyValue(LogKeys.STATE, each.kind().label()).addKeyValue(LogKeys.REASON, each.text())
                    .log("offsets, journal and log of a partition disagree");
        }
    }

    /// Returns the start on `tool.call.resumed`. Without a committed offset that is right, this is the time of the
    /// oldest call that waits for an outcome, because that outcome came later. It does no harm to read an outcome
    /// again.
    private DoneOffsets resumed(int partition, @Nullable DoneOffsets committed, @Nullable PartitionFrontier journaled,
            LogEnds ends, PartitionState state, List<Discrepancy> found) {
        if (committed != null && holds(partition, committed, journaled, ends, found))
            return committed;
        OptionalLong oldest = state.oldestPending();
        long first = oldest.isEmpty()
                ? -1
                : sources.firstSince(Topic.CALL_RESUMED, partition,
                        Math.max(0, oldest.getAsLong() - LogStart.CLOCKS_MILLIS));
        return DoneOffsets.from(first < 0 ? ends.resumed() : first);
    }

    private boolean holds(int partition, DoneOffsets committed, @Nullable PartitionFrontier journaled, LogEnds ends,
            List<Discrepancy> found) {
        String noted = journaled == null ? null : journaled.resumedTopicId();
        if (noted != null && !noted.equals(ends.incarnation().resumed())) {
            found.add(new Discrepancy(Discrepancy.Kind.RECREATED,
                    "the topic of resumed calls was made anew: it is read from the oldest pending call on"));
            return false;
        }
        long reach = committed.reach();
        boolean same = reach <= ends.resumed() && (committed.leaderEpoch() == DoneOffsets.NO_EPOCH
                || sources.agreesUpTo(Topic.CALL_RESUMED, partition, reach, committed.leaderEpoch()) >= reach);
        if (!same) {
            found.add(new Discrepancy(Discrepancy.Kind.TRUNCATED,
                    "the topic of resumed calls was truncated below " + reach
                            + ": it is read from the oldest pending call on"));
        }
        return same;
    }

    /// Returns the offset of the first result to read. All results that may answer an unfinished call are read, and
    /// before them those of the window, as many as a partition remembers. Each result has at most one marker beside it,
    /// so `maxEntries` results lie within twice that number of offsets.
    private long firstAnswer(int partition, long appendedAt, long end) {
        long window = Math.max(dedupe.window().toMillis(), LogStart.CLOCKS_MILLIS);
        long first = sources.firstSince(Topic.RESULT, partition, Math.max(0, appendedAt - window));
        if (first < 0)
            return end;
        long asked = sources.firstSince(Topic.RESULT, partition,
                Math.max(0, appendedAt - LogStart.CLOCKS_MILLIS));
        return Math.max(first, (asked < 0 ? end : asked) - 2L * dedupe.maxEntries());
    }

    /// Restores an answer from the headers alone; a result without them is not written by a worker.
    private static void restoreAnswer(ConsumerRecord<byte[], byte[]> record, PartitionState state) {
        String identity = header(record, WireHeaders.IDENTITY);
        String fingerprint = header(record, WireHeaders.FINGERPRINT);
        String callOffset = header(record, WireHeaders.CALL_OFFSET);
        if (identity == null || fingerprint == null || callOffset == null)
            return;
        try {
            String calledAt = header(record, WireHeaders.CALLED_AT);
            LoopMark loop = loop(record);
            if (loop != null)
                state.loops().restore(Digest128.ofFingerprint(fingerprint), loop);
            state.restoreAnswer(identity, Long.parseLong(callOffset),
                    calledAt == null ? -1 : Long.parseLong(calledAt),
                    new EarlierAnswer(Digest128.ofFingerprint(fingerprint), record.offset(), record.timestamp()),
                    header(record, WireHeaders.REPLAYED) != null);
        } catch (NumberFormatException e) {
            LOG.atWarn().addKeyValue("topic", record.topic()).addKeyValue(LogKeys.PARTITION, record.partition())
                    .addKeyValue(LogKeys.OFFSET, record.offset()).addKeyValue(LogKeys.REASON, Unquoted.name(e))
                    .log("result skipped: it names no call's offset");
        }
    }

    private static @Nullable LoopMark loop(ConsumerRecord<byte[], byte[]> record) {
        String text = header(record, WireHeaders.LOOP);
        return text == null ? null : LoopMark.parse(text);
    }

    private static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? null : text(header.value());
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
