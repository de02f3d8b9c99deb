package dev.toolfleet.worker.poll;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.JournalEntry;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.identity.Answer;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.Digest128;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/// Finds out where an assigned partition starts and what its earlier owners did, in the order of DESIGN 4.6: first a
/// stable committed offset, then the ends of the partition's state, then all that is committed before them. Whatever
/// was written by a transaction of which the offset tells is so read, however late its markers come.
///
/// Blocks; a procedure without state or threads of its own.
public final class TakeOver {
    private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);

    /// How far brokers' clocks may be apart: the two topics may have other leaders.
    private static final Duration CLOCKS = Duration.ofMinutes(1);

    private final Sources sources;
    private final DedupeConfig dedupe;
    private final InstantSource clock;

    /// @param dedupe how many answers a partition remembers
    public TakeOver(Sources sources, DedupeConfig dedupe, InstantSource clock) {
        this.sources = sources;
        this.dedupe = dedupe;
        this.clock = clock;
    }

    /// Where a group stands in a partition.
    ///
    /// @param offsets its frontier and what is done beyond it; the oldest offset that there is when nothing is committed
    /// @param committed whether the group has a committed offset there
    /// @param resumed the same of `tool.call.resumed`; null when nothing is committed there, or not any more: a group's
    ///        offsets of a topic that it does not subscribe to expire
    public record Start(DoneOffsets offsets, boolean committed, @Nullable DoneOffsets resumed) {}

    /// The topics' read_uncommitted ends in one partition.
    public record Ends(long journal, long results, long steps, long resumed) {}

    /// What a take-over reads. Every method may wait, and throws a `KafkaException` when it waited in vain.
    public interface Sources {
        /// Waits until nothing is undecided about the group's offset.
        Start start(int partition);

        /// Where the partition's state ends now.
        Ends ends(int partition);

        /// When the first call at `offset` or behind it was appended, in epoch milliseconds; empty when there is none.
        OptionalLong appendedAt(int partition, long offset);

        /// The first record that was appended at that time or later; -1 for none.
        long firstSince(Topic topic, int partition, long time);

        /// Reads what is committed in `[from, end)`, in its order.
        void read(Topic topic, int partition, long from, long end, Consumer<ConsumerRecord<byte[], byte[]>> each);

        /// Waits until the step catalogs before `end` are known.
        void awaitSteps(int partition, long end);
    }

    /// A partition that may start.
    ///
    /// @param start where on `tool.call`
    /// @param resumed where on `tool.call.resumed`
    /// @param state what its earlier owners did
    public record Restored(DoneOffsets start, DoneOffsets resumed, PartitionState state) {}

    /// Takes a partition over.
    ///
    /// @throws org.apache.kafka.common.KafkaException when something cannot be read now; try again
    public Restored restore(int partition) {
        Start start = sources.start(partition);
        Ends ends = sources.ends(partition);
        PartitionState state = new PartitionState(dedupe, clock);
        sources.read(Topic.JOURNAL, partition, 0, ends.journal(), record -> restoreEntry(record, state));
        sources.read(Topic.RESULT, partition, firstAnswer(partition, start, ends.results()), ends.results(),
                record -> restoreAnswer(record, state));
        sources.awaitSteps(partition, ends.steps());
        state.restored(ends.resumed());
        return new Restored(start.offsets(), resumed(partition, start, ends, state), state);
    }

    /// Without a committed offset, from the time of the oldest call that waits for an outcome: that came later.
    private DoneOffsets resumed(int partition, Start start, Ends ends, PartitionState state) {
        DoneOffsets committed = start.resumed();
        if (committed != null)
            return committed;
        OptionalLong oldest = state.oldestPending();
        long first = oldest.isEmpty()
                ? -1
                : sources.firstSince(Topic.CALL_RESUMED, partition,
                        Math.max(0, oldest.getAsLong() - CLOCKS.toMillis()));
        return DoneOffsets.from(first < 0 ? ends.resumed() : first);
    }

    /// Without a committed offset all results are asked: each shows a call that was answered. Each result lies beside
    /// one marker at most, so that many entries lie within twice as many offsets.
    private long firstAnswer(int partition, Start start, long end) {
        if (!start.committed())
            return 0;
        long frontier = sources.appendedAt(partition, start.offsets().frontier()).orElseGet(clock::millis);
        long first = sources.firstSince(Topic.RESULT, partition, frontier - dedupe.window().toMillis());
        return first < 0 ? end : Math.max(first, end - 2L * dedupe.maxEntries());
    }

    private static void restoreEntry(ConsumerRecord<byte[], byte[]> record, PartitionState state) {
        try {
            String identity = text(requireNonNull(record.key(), "key"));
            if (record.value() == null) {
                state.restoreClosed(identity);
                return;
            }
            JournalEntry entry = JournalEntry.read(record.value());
            if (!entry.identity().equals(identity))
                throw new IllegalArgumentException("the key names another call");
            switch (entry) {
                case CallIntent intent -> state.restoreOpen(intent);
                case OpenHandle open -> state.restorePending(open);
            }
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("topic", record.topic()).addKeyValue(LogKeys.PARTITION, record.partition())
                    .addKeyValue(LogKeys.OFFSET, record.offset()).addKeyValue(LogKeys.REASON, Unquoted.name(e))
                    .log("journal record not understood, passed over");
        }
    }

    /// The headers say all; a result without them is not one of ours.
    private static void restoreAnswer(ConsumerRecord<byte[], byte[]> record, PartitionState state) {
        String identity = header(record, WireHeaders.IDENTITY);
        String fingerprint = header(record, WireHeaders.FINGERPRINT);
        String callOffset = header(record, WireHeaders.CALL_OFFSET);
        if (identity == null || fingerprint == null || callOffset == null)
            return;
        try {
            state.restoreAnswer(identity, Long.parseLong(callOffset),
                    new Answer(Digest128.ofFingerprint(fingerprint), record.offset(), record.timestamp()),
                    header(record, WireHeaders.REPLAYED) != null);
        } catch (NumberFormatException e) {
            LOG.atWarn().addKeyValue("topic", record.topic()).addKeyValue(LogKeys.PARTITION, record.partition())
                    .addKeyValue(LogKeys.OFFSET, record.offset()).addKeyValue(LogKeys.REASON, Unquoted.name(e))
                    .log("result without a call's offset, passed over");
        }
    }

    private static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? null : text(header.value());
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
