package dev.toolfleet.bench.fault;

import java.time.Instant;

/// A fault that took place.
///
/// @param target the name of the worker, a broker, or the topic, group or limit concerned
/// @param from when the signal or command went out, or for FREEZE when it had worked: until then calls could still
/// begin
/// @param until when the process had ended (KILL, STOP, CLOCK), went on (FREEZE) or served again (BROKER), or all was
/// as before (the others)
public record Fault(FaultKind kind, String target, Instant from, Instant until) {
    /// True if any part of it lies in that time.
    public boolean touches(Instant begin, Instant end) {
        return !from.isAfter(end) && !until.isBefore(begin);
    }
}
