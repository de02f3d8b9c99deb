package dev.toolfleet.worker.commit;

import java.util.Arrays;
import java.util.function.LongConsumer;

/// Ascending offsets of one read, as primitive values, with the append times and the leader epoch of that read.
public final class Offsets {
    private long[] values = new long[16];
    private int count;
    private long first = -1;
    private long firstAppendedAt;
    private long lastAppendedAt;
    private int leaderEpoch = DoneOffsets.NO_EPOCH;

    /// Adds the next offset.
    public void add(long offset) {
        if (count == values.length)
            values = Arrays.copyOf(values, count * 2);
        values[count++] = offset;
    }

    /// Notes the read, even if it brought no call to run.
    ///
    /// @param first the first record that was read, appended at `firstAppendedAt`, in epoch milliseconds
    /// @param epoch the leader epoch of the last
    public void read(long first, long firstAppendedAt, long lastAppendedAt, int epoch) {
        this.first = first;
        this.firstAppendedAt = firstAppendedAt;
        this.lastAppendedAt = lastAppendedAt;
        this.leaderEpoch = epoch;
    }

    /// Returns the first offset that was read, even if it is none of these; -1 if the read brought no record.
    long first() {
        return first;
    }

    long firstAppendedAt() {
        return firstAppendedAt;
    }

    long lastAppendedAt() {
        return lastAppendedAt;
    }

    int leaderEpoch() {
        return leaderEpoch;
    }

    /// Returns the lowest of these offsets.
    long lowest() {
        return values[0];
    }

    /// Number of offsets.
    public int count() {
        return count;
    }

    /// Visits them in ascending order.
    public void forEach(LongConsumer consumer) {
        for (int i = 0; i < count; i++)
            consumer.accept(values[i]);
    }
}
