package dev.toolfleet.bench.fault;

import java.time.Duration;

/// A fault that is to come.
///
/// @param pause before it, with everything well
/// @param slot which of the workers is meant, for those faults that mean one
/// @param away how long the worker or broker is down or frozen, or the limit holds
/// @param sameName whether the next worker takes the name of the one that ended
public record PlannedFault(FaultKind kind, Duration pause, int slot, Duration away, boolean sameName) {}
