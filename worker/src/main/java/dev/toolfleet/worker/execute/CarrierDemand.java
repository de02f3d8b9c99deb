package dev.toolfleet.worker.execute;

import java.util.concurrent.TimeUnit;

/// Whether virtual threads wait for carriers that nobody leaves. A long queue alone is no sign: it moves while the
/// processors are merely busy. A start that loads many classes looks like handlers that compute; so more carriers are
/// kept shortly at first, and for longer the sooner they are needed again. Owned by who looks.
final class CarrierDemand {
    /// How often to look.
    static final long LOOK_MILLIS = 25;
    /// How long more carriers are kept after they were needed for the first time in a long while.
    static final long KEPT_MILLIS = 5_000;
    /// How long at most.
    static final long LONGEST_KEPT_MILLIS = 320_000;
    /// So many looks in a row without a move: shorter pauses come from the JVM and from other processes.
    static final int STUCK = 8;

    private long moved = -1;
    private int unmoved;
    private long kept = TimeUnit.MILLISECONDS.toNanos(KEPT_MILLIS);
    private long until;

    /// Nobody waits so far, nor did before.
    CarrierDemand(long now) {
        until = now - kept;
    }

    /// One look.
    ///
    /// @param queued how many virtual threads could go on and have no carrier
    /// @param moves how often a handler has begun or ended until now
    /// @param now by `System.nanoTime`
    boolean spreads(long queued, long moves, long now) {
        unmoved = queued > 0 && moves == moved ? unmoved + 1 : 0;
        moved = moves;
        boolean spread = until - now > 0;
        if (unmoved < STUCK)
            return spread;
        if (!spread)
            kept = keptAfter(now - until);
        until = now + kept;
        return true;
    }

    /// Twice as long when they were missed within as long as they had been kept.
    private long keptAfter(long missed) {
        return missed < kept
                ? Math.min(2 * kept, TimeUnit.MILLISECONDS.toNanos(LONGEST_KEPT_MILLIS))
                : TimeUnit.MILLISECONDS.toNanos(KEPT_MILLIS);
    }
}
