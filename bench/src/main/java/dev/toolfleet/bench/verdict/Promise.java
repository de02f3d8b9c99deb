package dev.toolfleet.bench.verdict;

/// What a run checks.
public enum Promise {
    /// Every record that was acknowledged is on `tool.call`: without it the others say nothing.
    CALLS_KEPT("calls lost by the broker"),
    /// Every record of a call has a final result.
    ANSWERED("missing"),
    /// A call has one final result that is not replayed.
    ONE_RESULT("duplicates"),
    /// Exclusive calls of an instance run one by one, in call order, and their results come in that order.
    ORDER("order violations"),
    /// A call that is neither read-only nor idempotent runs once at most.
    ONCE("run twice"),
    /// An unknown outcome has its reason in a fault.
    KNOWN("unproven unknown outcomes"),
    /// A worker ends when it is told to.
    WORKERS_LIVE("workers that ended by themselves"),
    /// No call fails otherwise: the run's tools do not.
    NO_ERRORS("other errors"),
    /// Planned stops leave no outcome unknown.
    STOPS_ARE_CLEAN("unknown outcomes of planned stops"),
    /// Planned stops do not hold up the instances of other workers.
    STOPS_ARE_LOCAL("other instances held up by planned stops");

    private final String broken;

    Promise(String broken) {
        this.broken = broken;
    }

    /// How what breaks it is called.
    public String broken() {
        return broken;
    }
}
