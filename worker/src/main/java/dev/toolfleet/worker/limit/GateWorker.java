package dev.toolfleet.worker.limit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.bundle.ToolLimits;
import dev.toolfleet.wire.ToolRef;

/// The worker around a [ToolGate], as the gate needs it. Returns at once.
interface GateWorker {
    /// Declaration of a tool.
    ///
    /// @param code the code that runs
    record Declared(ToolLimits limits, Object code) {}

    /// Returns the present declaration of the tool; empty if it is not declared.
    Optional<Declared> declared(ToolRef ref);

    /// Number of its calls that wait for their handles.
    int pending(ToolRef ref);

    /// Number of processors.
    int cores();

    /// Returns the time of a clock that never goes back, in nanoseconds from about zero.
    long nanos();

    /// Returns the time until a deadline.
    Duration until(Instant deadline);

    /// The same clock as [#nanos].
    Clock clock();
}
