package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Log of one partition with the effects of transactions: committed readers see a transaction's record once its marker
/// commits it, and no such reader gets past an open transaction.
final class SimLog {
    private final String topic;
    private final int partition;
    private final List<Entry> entries = new ArrayList<>();
    /// Open slices and where each begins, in that order.
    private final Map<Slice, Long> open = new LinkedHashMap<>();
    /// By how much its leader's clock is ahead.
    private final long clock;
    /// Start of each leader epoch.
    private final NavigableMap<Integer, Long> epochs = new TreeMap<>(Map.of(0, 0L));
    private int incarnation;
    private long start;

    SimLog(String topic, int partition, long clock) {
        this.topic = topic;
        this.partition = partition;
        this.clock = clock;
    }

    /// Records of one transaction in this log.
    static final class Slice {
        private boolean committed;
        private boolean decided;

        /// The transaction will be committed, whenever its marker comes.
        void decided() {
            decided = true;
        }
    }

    /// @param slice null for a record outside transactions
    /// @param data null for a marker
    private record Entry(@Nullable Slice slice, @Nullable ConsumerRecord<byte[], byte[]> data) {}

    /// Returns the record's offset.
    long append(@Nullable Slice slice, long now, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        if (slice != null)
            open.putIfAbsent(slice, end());
        entries.add(new Entry(slice, new ConsumerRecord<>(topic, partition, end(), now + clock,
                TimestampType.LOG_APPEND_TIME,
                key == null ? -1 : key.length, value == null ? -1 : value.length, key, value, headers,
                Optional.of(leaderEpoch()))));
        return end() - 1;
    }

    /// The world's time at which a record of this log was appended.
    long appended(ConsumerRecord<byte[], byte[]> record) {
        return record.timestamp() - clock;
    }

    /// The time at which a record was appended, by its leader's clock.
    long appendedAt(long offset) {
        return requireNonNull(entries.get((int) offset).data()).timestamp();
    }

    /// Ends a slice with its marker, which takes an offset of its own.
    void mark(Slice slice, boolean committed) {
        slice.committed = committed;
        open.remove(slice);
        entries.add(new Entry(slice, null));
    }

    /// The topic is deleted and made anew.
    void recreate() {
        entries.clear();
        open.clear();
        epochs.clear();
        epochs.put(0, 0L);
        incarnation++;
        start = 0;
    }

    /// A replica that ends before becomes leader.
    void truncate(long to) {
        entries.subList((int) to, entries.size()).clear();
        open.values().removeIf(from -> from >= to);
        epochs.values().removeIf(from -> from > to);
        epochs.put(leaderEpoch() + 1, to);
    }

    /// Deletes the records before `offset`; their offsets stay.
    void deleteBefore(long offset) {
        start = Math.max(start, offset);
    }

    TopicPartition place() {
        return new TopicPartition(topic, partition);
    }

    /// Which of the topics of one name it belongs to.
    String id() {
        return topic + "-" + incarnation;
    }

    int leaderEpoch() {
        return epochs.lastKey();
    }

    /// Returns the offset from which on the log has other records than one whose newest leader epoch was `epoch`, at
    /// most `offset`.
    long agreesUpTo(long offset, int epoch) {
        Map.Entry<Integer, Long> next = epochs.higherEntry(epoch);
        return Math.min(offset, next == null ? end() : next.getValue());
    }

    /// The oldest offset that can be read.
    long start() {
        return start;
    }

    /// The end for readers of uncommitted records.
    long end() {
        return entries.size();
    }

    /// The end for readers of committed records.
    long stableEnd() {
        return open.isEmpty() ? end() : open.values().iterator().next();
    }

    /// Returns the committed records from `from` on, at most `atMost`; the reader's position is then [Read#next].
    Read read(long from, int atMost) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        long at = Math.max(from, start);
        for (; at < stableEnd() && records.size() < atMost; at++) {
            Entry entry = entries.get((int) at);
            if (entry.data() != null && (entry.slice() == null || entry.slice().committed))
                records.add(entry.data());
        }
        return new Read(records, at);
    }

    /// The committed record at an offset; null when there is none.
    @Nullable
    ConsumerRecord<byte[], byte[]> committedAt(long offset) {
        return read(offset, 1).records().stream().filter(record -> record.offset() == offset).findFirst().orElse(null);
    }

    /// Returns the append time of the newest record; 0 if there is none.
    long newest() {
        return entries.stream().flatMap(entry -> Stream.ofNullable(entry.data())).mapToLong(ConsumerRecord::timestamp)
                .max().orElse(0);
    }

    /// The value of the newest record of a key whose transaction is decided; null for a tombstone, or none.
    byte @Nullable [] newest(byte[] key) {
        for (Entry entry : entries.reversed()) {
            ConsumerRecord<byte[], byte[]> data = entry.data();
            if (data != null && (entry.slice() == null || entry.slice().decided) && Arrays.equals(key, data.key()))
                return data.value();
        }
        return null;
    }

    /// The first record that was appended then or later; -1 for none.
    long firstSince(long time) {
        for (int offset = (int) start; offset < entries.size(); offset++) {
            ConsumerRecord<byte[], byte[]> data = entries.get(offset).data();
            if (data != null && data.timestamp() >= time)
                return offset;
        }
        return -1;
    }

    /// Everything that committed readers have seen, what was deleted since included.
    List<ConsumerRecord<byte[], byte[]>> committed() {
        return entries.subList(0, (int) stableEnd()).stream()
                .filter(entry -> entry.data() != null && (entry.slice() == null || entry.slice().committed))
                .map(entry -> requireNonNull(entry.data())).toList();
    }

    @Override
    public String toString() {
        return topic + "/" + partition + " to " + end();
    }

    record Read(List<ConsumerRecord<byte[], byte[]>> records, long next) {}
}
