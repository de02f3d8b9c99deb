package dev.toolfleet.bench.verdict;

/// A promise that a run checks.
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
    /// A replay is the latest answer, and nothing pending lies behind a final result.
    REPLAYS("wrong replays"),
    /// An answer is whole, belongs to its call, and has passed the middleware once.
    CONTENT("wrong answers"),
    /// A call that needs approval runs only after it.
    APPROVED("run without approval"),
    /// A call that sends, written after its instance had received results with both labels, starts only after its
    /// approval.
    GUARDED("sent without approval under both labels"),
    /// An unknown outcome has its reason in a fault.
    KNOWN("unproven unknown outcomes"),
    /// Each client over HTTP gets the final result of its call.
    CLIENTS_ANSWERED("clients without an answer"),
    /// It is the one that is on `tool.result`.
    CLIENTS_AGREE("clients with another answer"),
    /// Each result that is not replayed has one message in its session.
    ONE_MESSAGE("results without one message"),
    /// The messages of results come in the order of the results.
    MESSAGE_ORDER("sessions out of order"),
    /// A worker ends when it is told to.
    WORKERS_LIVE("workers that ended by themselves"),
    /// No call fails otherwise: the run's tools do not, only the person rejects one, and only a process of
    /// handlers that ended twice under a call fails it.
    NO_ERRORS("other errors"),
    /// Planned stops leave no outcome unknown.
    STOPS_ARE_CLEAN("unknown outcomes of planned stops"),
    /// Planned stops do not hold up the instances of other workers.
    STOPS_ARE_LOCAL("other instances held up by planned stops");

    private final String broken;

    Promise(String broken) {
        this.broken = broken;
    }

    /// Name of a violation.
    public String broken() {
        return broken;
    }
}
