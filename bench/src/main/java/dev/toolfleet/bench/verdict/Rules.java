package dev.toolfleet.bench.verdict;

import java.time.Duration;
import java.util.Set;

import dev.toolfleet.bench.fault.FaultKind;

/// Rules of a verdict.
///
/// @param plannedStopsOnly whether the run has no fault but planned stops, which must lose and hold up nothing
/// @param settle how long after a fault its victims may still wait
/// @param patience how long an instance without a fault may be held up, if [#plannedStopsOnly]
/// @param sessionTimeout after which a dead worker is missed
/// @param labels whether tools added labels or sent, under a guarded policy
public record Rules(boolean plannedStopsOnly, Duration settle, Duration patience, Duration sessionTimeout,
        boolean labels) {
    private static final Duration SETTLE = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /// For a run with these faults.
    public static Rules of(Set<FaultKind> faults, Duration sessionTimeout, boolean labels) {
        return new Rules(faults.equals(Set.of(FaultKind.STOP)), SETTLE, PATIENCE, sessionTimeout, labels);
    }
}
