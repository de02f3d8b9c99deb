package dev.toolfleet.worker.commit;

import java.util.Arrays;
import java.util.function.LongConsumer;

/// Ascending offsets without a box around each.
public final class Offsets {
    private long[] values = new long[16];
    private int count;

    /// Adds the next offset.
    public void add(long offset) {
        if (count == values.length)
            values = Arrays.copyOf(values, count * 2);
        values[count++] = offset;
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
