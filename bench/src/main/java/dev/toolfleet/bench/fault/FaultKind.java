package dev.toolfleet.bench.fault;

/// What is done to the fleet.
public enum FaultKind {
    /// SIGKILL to a worker; a new one starts a little later.
    KILL,
    /// SIGTERM to a worker; a new one starts when it has ended.
    STOP,
    /// SIGSTOP to a worker for longer than its session timeout, then SIGCONT.
    FREEZE,
    /// SIGKILL to the broker, which starts again some seconds later. Not SIGTERM: the only broker of a cluster that is
    /// stopped in good order leaves its partitions without leader for a moment, and transactions that end in that moment
    /// get no markers (Kafka 4.3).
    BROKER
}
