package dev.toolfleet.bench.steps;

import java.time.Duration;
import java.util.List;

/// What a run is to do.
///
/// @param rate steps a second
/// @param measured how long steps are measured with each interval, after a warm-up
/// @param commitIntervals of the catalog service, one after the other
public record StepsOptions(int rate, Duration measured, List<Duration> commitIntervals) {
    /// Checks the values.
    ///
    /// @throws IllegalArgumentException naming one
    public StepsOptions {
        commitIntervals = List.copyOf(commitIntervals);
        if (rate < 1 || rate > 100_000)
            throw new IllegalArgumentException("rate is " + rate + "; it must be 1 to 100000");
        if (measured.toSeconds() < 1 || measured.toHours() >= 1)
            throw new IllegalArgumentException("seconds is " + measured.toSeconds() + "; it must be 1 to 3599");
        if (commitIntervals.isEmpty())
            throw new IllegalArgumentException("commit-interval is empty; name one, such as 20");
    }
}
