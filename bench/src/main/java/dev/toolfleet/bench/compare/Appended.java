package dev.toolfleet.bench.compare;

import java.time.Duration;
import java.util.Arrays;

/// Times at which the broker appended the results of a run, in milliseconds of its own clock. Otherwise: a reader that
/// gets no processor time for a while makes an engine look slow, or fast.
final class Appended {
    private final long[] times;
    private int count;

    /// @param most how many results there may be; further ones are not kept
    Appended(int most) {
        this.times = new long[most];
    }

    void add(long millis) {
        if (count < times.length)
            times[count++] = millis;
    }

    /// Results a second between the result of rank `from` and that of rank `to`, counted from 1; 0 when there are not
    /// as many, or no time between them.
    double perSecond(int from, int to) {
        long[] sorted = sorted();
        if (to > count || from < 1 || sorted[to - 1] == sorted[from - 1])
            return 0;
        return (to - from) * 1e3 / (sorted[to - 1] - sorted[from - 1]);
    }

    /// From the first to the last.
    Duration whole() {
        long[] sorted = sorted();
        return count == 0 ? Duration.ZERO : Duration.ofMillis(sorted[count - 1] - sorted[0]);
    }

    private long[] sorted() {
        long[] sorted = Arrays.copyOf(times, count);
        Arrays.sort(sorted);
        return sorted;
    }
}
