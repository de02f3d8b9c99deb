package dev.toolfleet.worker.commit;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

import dev.toolfleet.wire.PartitionFrontier;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// Decides when the frontier of one assignment is journaled ([PartitionFrontier]).
///
/// **Contract.** It is journaled when the assignment begins, then once a minute while it moves, and when the loop is to
/// commit everything, as before the assignment ends.
///
/// **Threads.** Handed to the transaction loop with the assignment, and owned by its thread from then on.
///
/// **Why at the beginning.** A committed offset does not name its log. Otherwise: the next owner compares the offset of
/// a new topic with the frontier of the old one.
///
/// **Why at the end.** Offsets and results may expire together in a fleet that is stopped for a week. Otherwise: the
/// calls of the last minute run again.
public final class FrontierNotes {
    /// Greatest age of a journaled frontier while a partition commits.
    public static final Duration INTERVAL = Duration.ofMinutes(1);

    private final int partition;
    private final @Nullable Incarnation log;
    private final Writer writer;
    private final LongSupplier nanos;
    private final AppendTimes times;
    private boolean noted;
    private long notedAt;
    private long notedOffset = -1;

    /// Makes the record of a frontier.
    @FunctionalInterface
    public interface Writer {
        /// Returns the record for `tool.journal`, in that partition.
        ProducerRecord<byte[], byte[]> record(int partition, PartitionFrontier frontier);
    }

    /// @param log the ids of the partition's logs; null when unknown: then no frontier is journaled
    /// @param appendedAt no unfinished call was appended before that, in epoch milliseconds
    /// @param nanos `System.nanoTime`
    public FrontierNotes(int partition, @Nullable Incarnation log, long appendedAt, Writer writer, LongSupplier nanos) {
        this.partition = partition;
        this.log = log;
        this.writer = writer;
        this.nanos = nanos;
        this.times = new AppendTimes(appendedAt);
    }

    void read(Offsets offsets, long next) {
        if (offsets.first() < 0)
            return;
        times.read(offsets.first(), offsets.firstAppendedAt());
        times.read(next, offsets.lastAppendedAt());
    }

    /// True if that frontier is to be journaled now, even if there is nothing else to commit.
    boolean isDue(long frontier) {
        return log != null && (!noted || (frontier != notedOffset && isOld()));
    }

    private boolean isOld() {
        return nanos.getAsLong() - notedAt >= INTERVAL.toNanos();
    }

    /// Makes a frontier that has moved due at once.
    void hurry() {
        if (noted)
            notedAt = nanos.getAsLong() - INTERVAL.toNanos();
    }

    /// Returns the record for this commit; null if none is due.
    @Nullable
    ProducerRecord<byte[], byte[]> due(OffsetAndMetadata calls) {
        if (log == null || (noted && !isOld()))
            return null;
        return writer.record(partition, new PartitionFrontier(calls.offset(),
                Instant.ofEpochMilli(times.since(calls.offset())), log.calls(), calls.leaderEpoch().orElse(null),
                log.resumed(), log.cluster()));
    }

    void committed(long offset) {
        next(offset);
    }

    /// Leaves the record out for one interval, because the broker may have refused it.
    void refused() {
        next(-1);
    }

    private void next(long offset) {
        noted = true;
        notedAt = nanos.getAsLong();
        notedOffset = offset;
    }
}
