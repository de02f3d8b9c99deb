package dev.toolfleet.bench.timing;

import java.time.Duration;
import java.util.Arrays;

/// Durations of many events. Every sample is kept, so that percentiles are exact. For one thread.
public final class Latencies {
    private long[] nanos = new long[1024];
    private int count;
    private boolean sorted;

    /// One of them.
    public void add(long elapsedNanos) {
        if (count == nanos.length)
            nanos = Arrays.copyOf(nanos, 2 * count);
        nanos[count++] = elapsedNanos;
        sorted = false;
    }

    /// Number of samples.
    public int count() {
        return count;
    }

    /// The smallest sample that this share of the samples does not exceed; zero when there are none.
    ///
    /// @param percent up to 100, the longest
    public Duration at(double percent) {
        if (count == 0)
            return Duration.ZERO;
        if (!sorted)
            Arrays.sort(nanos, 0, count);
        sorted = true;
        // 99.9 % of 2,000 are 1,998, and not the little more that doubles make of it.
        int rank = (int) Math.ceil(percent * count / 100 - 1e-9);
        return Duration.ofNanos(nanos[Math.clamp(rank - 1, 0, count - 1)]);
    }

    /// Their mean.
    public Duration mean() {
        return count == 0
                ? Duration.ZERO
                : Duration.ofNanos((long) Arrays.stream(nanos, 0, count).average().orElse(0));
    }
}
