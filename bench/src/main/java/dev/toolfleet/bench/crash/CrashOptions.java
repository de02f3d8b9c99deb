package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.util.Set;

import dev.toolfleet.bench.fault.FaultKind;

/// Options of a run.
///
/// @param duration for how long calls are written and faults happen
/// @param seed of calls and faults
/// @param faults which kinds; at least one
/// @param brokers how many: 1, whose absence stops everything, or 3, where one may be away
public record CrashOptions(Duration duration, long seed, int callsPerSecond, Set<FaultKind> faults, int brokers) {
    private static final int MOST_CALLS = 10_000;

    /// Checks the values.
    ///
    /// @throws IllegalArgumentException naming the one that cannot be used
    public CrashOptions {
        if (duration.isNegative() || duration.isZero())
            throw new IllegalArgumentException("minutes is " + duration + "; it must be more than 0");
        if (callsPerSecond < 1 || callsPerSecond > MOST_CALLS)
            throw new IllegalArgumentException(
                    "calls-per-second is " + callsPerSecond + "; it must be 1 to " + MOST_CALLS);
        if (faults.isEmpty())
            throw new IllegalArgumentException("faults is empty; name at least one");
        if (brokers != 1 && brokers != 3)
            throw new IllegalArgumentException("brokers is " + brokers + "; it must be 1 or 3");
        faults = Set.copyOf(faults);
    }
}
