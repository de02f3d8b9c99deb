package dev.toolfleet.bench.fault;

import java.time.Instant;

/// A fault that took place.
///
/// @param target the name of the worker, or [#BROKER]
/// @param from when the signal went out, or for FREEZE when it had worked: until then calls could still begin
/// @param until when the process had ended (KILL, STOP), went on (FREEZE) or served again (BROKER)
public record Fault(FaultKind kind, String target, Instant from, Instant until) {
    /// The broker's name as a target.
    public static final String BROKER = "broker";

    /// Whether any of it lies in that time.
    public boolean touches(Instant begin, Instant end) {
        return !from.isAfter(end) && !until.isBefore(begin);
    }
}
