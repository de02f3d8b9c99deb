package dev.toolfleet.worker.commit;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

import dev.toolfleet.wire.PartitionFrontier;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// Decides when the frontier of one assignment is journaled ([PartitionFrontier]): when the assignment begins, then once a
/// minute while it moves, and when the loop is asked to commit everything, as before the assignment ends. Handed to the
/// transaction loop with the assignment, and owned by its thread from then on.
///
/// **Why at the beginning.** An offset that is committed in a new incarnation of the topic says nothing by itself: the next
/// owner would compare it with the frontier of the old one.
///
/// **Why at the end.** Offsets and results may expire together in a fleet that is stopped for a week. Otherwise: the calls
/// of the last minute run again.
public final class FrontierNotes {
    /// How old a journaled frontier may be while a partition commits.
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
        /// The record for `tool.journal`, in that partition.
        ProducerRecord<byte[], byte[]> record(int partition, PartitionFrontier frontier);
    }

    /// @param log in which the partition lies; null when unknown: then nothing is journaled
    /// @param appendedAt every unfinished call was appended then or later, in epoch milliseconds
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

    /// Whether a frontier there is to be journaled now, also when nothing else is committed.
    boolean isDue(long frontier) {
        return log != null && (!noted || (frontier != notedOffset && isOld()));
    }

    private boolean isOld() {
        return nanos.getAsLong() - notedAt >= INTERVAL.toNanos();
    }

    /// What has moved is journaled at once.
    void hurry() {
        if (noted)
            notedAt = nanos.getAsLong() - INTERVAL.toNanos();
    }

    /// The record that goes along with this commit; null when none is due.
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

    /// The broker may have refused the record: it stays away for as long as between two.
    void refused() {
        next(-1);
    }

    private void next(long offset) {
        noted = true;
        notedAt = nanos.getAsLong();
        notedOffset = offset;
    }
}
