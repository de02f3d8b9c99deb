package dev.toolfleet.worker.limit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.wire.ToolRef;

/// What a [ToolGate] asks of the worker around it. Answers at once.
interface GateWorker {
    /// How the tool is declared now; empty when it is not.
    Optional<ToolGate.Declared> declared(ToolRef ref);

    /// How many of its calls wait for their handles.
    int pending(ToolRef ref);

    /// How many processors there are.
    int cores();

    /// A clock that never goes back, in nanoseconds from about zero.
    long nanos();

    /// How long until a deadline.
    Duration until(Instant deadline);

    /// The same clock as [#nanos].
    Clock clock();
}
