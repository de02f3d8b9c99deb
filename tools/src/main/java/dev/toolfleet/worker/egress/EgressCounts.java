package dev.toolfleet.worker.egress;

import java.util.concurrent.atomic.LongAdder;

/// Counts the connections that commands asked for. Thread-safe.
public final class EgressCounts {
    private final LongAdder allowed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /// Those that were made.
    public long allowed() {
        return allowed.sum();
    }

    /// Those that the rules forbade, unreadable requests included.
    public long refused() {
        return refused.sum();
    }

    /// Number of connections that the rules allowed and no server answered.
    public long failed() {
        return failed.sum();
    }

    void allow() {
        allowed.increment();
    }

    void refuse() {
        refused.increment();
    }

    void fail() {
        failed.increment();
    }
}
