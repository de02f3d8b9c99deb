package dev.toolfleet.bench.compare;

import java.time.Duration;

import dev.toolfleet.bench.load.KeyMix;

/// The calls of a run.
///
/// @param work how long each takes
/// @param keys which instances they go to
/// @param textBytes of each call's text argument, which the result repeats
/// @param seed of the draw of instances
public record CallLoad(Duration work, KeyMix keys, int textBytes, long seed) {
    /// Checks the values.
    ///
    /// @throws IllegalArgumentException naming one
    public CallLoad {
        if (work.isNegative() || work.compareTo(Duration.ofMinutes(1)) > 0)
            throw new IllegalArgumentException("work is " + work + "; it must be 0 to 60s");
        if (textBytes < 0 || textBytes > 900_000)
            throw new IllegalArgumentException("bytes is " + textBytes + "; it must be 0 to 900000");
    }

    /// Calls a second that order by instance allows: the busiest instance's calls follow one another. Infinite for
    /// calls that take no time.
    public double orderBound() {
        return work.isZero() ? Double.POSITIVE_INFINITY : 1e9 / work.toNanos() / keys.hottest();
    }

    /// Its name in tables.
    public String name() {
        return (work.isZero() ? "no work" : work.toMillis() + " ms") + ", " + keys;
    }
}
