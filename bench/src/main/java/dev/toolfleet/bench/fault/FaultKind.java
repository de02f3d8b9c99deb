package dev.toolfleet.bench.fault;

/// What is done to the fleet.
public enum FaultKind {
    /// SIGKILL to a worker; a new one starts a little later.
    KILL,
    /// SIGTERM to a worker; a new one starts when it has ended.
    STOP,
    /// SIGSTOP to a worker for longer than its session timeout, then SIGCONT.
    FREEZE,
    /// SIGKILL or SIGTERM to the broker, which starts again some seconds later.
    BROKER
}
