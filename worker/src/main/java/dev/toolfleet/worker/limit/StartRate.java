package dev.toolfleet.worker.limit;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/// Computes the time of the next start: in no stretch of a period do more calls start than its number. A rate of 10 a
/// second means 10 starts in any second, one of 0.5 means one start in any two. Pure, except for the remembered starts;
/// times are nanoseconds of any monotonic clock.
final class StartRate {
    /// Most starts that are remembered: beyond, the same rate is kept over a shorter period.
    private static final int MOST = 1_000;
    private static final long NEVER = Long.MIN_VALUE / 4;
    private static final long SECOND = 1_000_000_000;
    private static final long LONGEST = Long.MAX_VALUE / 4;

    private final long period;
    private final long[] starts;
    /// Index of the oldest remembered start.
    private int oldest;

    private StartRate(int most, long period) {
        this.period = period;
        this.starts = new long[most];
        Arrays.fill(starts, NEVER);
    }

    /// @param before a rate whose starts count for the new one too; null for none
    static StartRate of(double perSecond, @Nullable StartRate before) {
        int most = (int) Math.clamp(Math.floor(perSecond), 1, MOST);
        StartRate rate = new StartRate(most, (long) Math.min((double) LONGEST, most / perSecond * SECOND));
        if (before != null)
            before.replayInto(rate);
        return rate;
    }

    private void replayInto(StartRate other) {
        for (int i = 0; i < starts.length; i++)
            other.started(starts[(oldest + i) % starts.length]);
    }

    /// Returns the earliest start of a call with `ahead` others before it, if these start as early as they can.
    long earliest(int ahead, long now) {
        long first = Math.max(now, starts[(oldest + ahead % starts.length) % starts.length] + period);
        int rounds = ahead / starts.length;
        return rounds == 0 ? first : (long) Math.min((double) LONGEST, first + (double) rounds * period);
    }

    /// Notes that a call starts.
    void started(long now) {
        starts[oldest] = now;
        oldest = (oldest + 1) % starts.length;
    }
}
