package dev.toolfleet.worker.limit;

/// Effect of a handler's end on its tool's circuit breaker.
public enum BreakerSignal {
    /// The tool works.
    SUCCEEDED,
    /// The tool fails.
    FAILED,
    /// None: the caller was at fault, or the handler never ended.
    UNCOUNTED
}
