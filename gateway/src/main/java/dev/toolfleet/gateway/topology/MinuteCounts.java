package dev.toolfleet.gateway.topology;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.gateway.calls.FleetLoad;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/// Numbers of the calls of one partition that were accepted, have ended and have failed, by the minutes of their records.
///
/// **Contract.** Counts are collected in memory, and [#flush] adds them to the store in a tick of the task. So a task that
/// crashes or moves away loses the counts of its last second. No record counts twice: the store's counts are part of the
/// transaction that has read the records, or of a later one.
///
/// **Why.** A write for each record would make three writes of two. The end of a task is too late for a write: Kafka
/// Streams has committed by then, and the partition's next owner may have read the store back.
final class MinuteCounts {
    /// The time for which counts are kept.
    static final Duration KEPT = Duration.ofHours(24);
    private static final long MINUTE = Duration.ofMinutes(1).toMillis();

    private final KeyValueStore<byte[], byte[]> index;
    private final Map<Long, Counts> unwritten = new HashMap<>();
    private long expiredAt = Long.MIN_VALUE;

    /// Counts of one minute.
    private record Counts(long accepted, long ended, long failed) {
        private static final Counts NONE = new Counts(0, 0, 0);

        Counts plus(Counts other) {
            return new Counts(accepted + other.accepted, ended + other.ended, failed + other.failed);
        }

        byte[] write() {
            return ByteBuffer.allocate(3 * Long.BYTES).putLong(accepted).putLong(ended).putLong(failed).array();
        }

        static Counts read(byte[] value) {
            ByteBuffer in = ByteBuffer.wrap(value);
            return new Counts(in.getLong(), in.getLong(), in.getLong());
        }
    }

    MinuteCounts(KeyValueStore<byte[], byte[]> index) {
        this.index = index;
    }

    void accepted(long at) {
        unwritten.merge(minute(at), new Counts(1, 0, 0), Counts::plus);
    }

    void ended(long at, boolean failed) {
        unwritten.merge(minute(at), new Counts(0, 1, failed ? 1 : 0), Counts::plus);
    }

    private static long minute(long at) {
        return Math.floorDiv(at, MINUTE);
    }

    /// Adds the counts to the store, and removes those that are too old.
    void flush(Instant now) {
        long first = minute(now.minus(KEPT).toEpochMilli());
        unwritten.forEach((minute, counts) -> {
            if (minute < first)
                return;
            byte[] key = IndexKey.minute(minute);
            byte[] before = index.get(key);
            index.put(key, (before == null ? Counts.NONE : Counts.read(before)).plus(counts).write());
        });
        unwritten.clear();
        if (first > expiredAt)
            expire(first);
        expiredAt = first;
    }

    private void expire(long first) {
        List<byte[]> old = new ArrayList<>();
        try (KeyValueIterator<byte[], byte[]> entries = index.range(IndexKey.minute(0), IndexKey.minute(first - 1))) {
            entries.forEachRemaining(entry -> old.add(entry.key));
        }
        old.forEach(index::delete);
    }

    /// Reads the counts of a partition from a time on.
    static List<FleetLoad.Minute> read(ReadOnlyKeyValueStore<byte[], byte[]> index, Instant since) {
        List<FleetLoad.Minute> minutes = new ArrayList<>();
        try (KeyValueIterator<byte[], byte[]> entries = index.range(IndexKey.minute(minute(since.toEpochMilli())),
                IndexKey.minute(Long.MAX_VALUE))) {
            while (entries.hasNext()) {
                KeyValue<byte[], byte[]> entry = entries.next();
                Counts counts = Counts.read(entry.value);
                minutes.add(new FleetLoad.Minute(Instant.ofEpochMilli(IndexKey.number(entry.key) * MINUTE),
                        counts.accepted(), counts.ended(), counts.failed()));
            }
        }
        return minutes;
    }
}
