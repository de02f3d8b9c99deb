package dev.toolfleet.bench.steps;

import java.time.Duration;
import java.util.Arrays;

/// How long each of many things took. For one thread.
final class Latencies {
    private long[] nanos = new long[1024];
    private int count;

    void add(long elapsedNanos) {
        if (count == nanos.length)
            nanos = Arrays.copyOf(nanos, 2 * count);
        nanos[count++] = elapsedNanos;
    }

    int count() {
        return count;
    }

    /// What the run's report says of them; zeros when there are none.
    StepsReport.Latency summary() {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return new StepsReport.Latency(at(sorted, 50), at(sorted, 95), at(sorted, 99), at(sorted, 100));
    }

    /// The smallest that so many percent do not exceed.
    private static Duration at(long[] sorted, int percent) {
        if (sorted.length == 0)
            return Duration.ZERO;
        int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
        return Duration.ofNanos(sorted[Math.max(0, rank - 1)]);
    }
}
