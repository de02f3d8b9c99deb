package dev.toolfleet.worker.commit;

import java.util.Arrays;
import java.util.function.LongConsumer;

/// Ascending offsets that were read at once, without a box around each, and how they were read.
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

    /// Notes how they were read; also when none of what was read is to be run.
    ///
    /// @param first the first record that was read, appended at `firstAppendedAt`, in epoch milliseconds
    /// @param epoch the leader epoch of the last
    public void read(long first, long firstAppendedAt, long lastAppendedAt, int epoch) {
        this.first = first;
        this.firstAppendedAt = firstAppendedAt;
        this.lastAppendedAt = lastAppendedAt;
        this.leaderEpoch = epoch;
    }

    /// The first record that was read, also when it is none of these; -1 when there was none.
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

    /// The first of them.
    long lowest() {
        return values[0];
    }

    /// How many there are.
    public int count() {
        return count;
    }

    /// Visits them in that order.
    public void forEach(LongConsumer consumer) {
        for (int i = 0; i < count; i++)
            consumer.accept(values[i]);
    }
}
