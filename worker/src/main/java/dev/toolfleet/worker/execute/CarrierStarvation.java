package dev.toolfleet.worker.execute;

import java.util.concurrent.TimeUnit;

/// Detects that virtual threads wait for carriers that none of the running handlers leaves.
///
/// **Threads.** Owned by the thread that samples.
///
/// **Why.** A long queue alone does not show this: it moves while the processors are merely busy. A start that loads
/// many classes looks like computing handlers. So more carriers are kept for a short time at first, and for longer the
/// sooner they are needed again.
final class CarrierStarvation {
    /// Time between two samples.
    static final long LOOK_MILLIS = 25;
    /// Time for which more carriers are kept when they are needed for the first time in a long while.
    static final long KEPT_MILLIS = 5_000;
    /// Longest time for which more carriers are kept.
    static final long LONGEST_KEPT_MILLIS = 320_000;
    /// Samples in a row without a move that count as stuck: shorter pauses come from the JVM and from other processes.
    static final int STUCK = 8;

    private long moved = -1;
    private int unmoved;
    private long kept = TimeUnit.MILLISECONDS.toNanos(KEPT_MILLIS);
    private long until;

    /// Starts without demand, now and before.
    CarrierStarvation(long now) {
        until = now - kept;
    }

    /// Takes one sample. Returns true if more carriers are needed.
    ///
    /// @param queued number of virtual threads that are ready and have no carrier
    /// @param moves number of beginnings and ends of handlers until now
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

    /// Returns the time to keep more carriers: twice as long if they were missing for less time than they had been
    /// kept.
    private long keptAfter(long missed) {
        return missed < kept
                ? Math.min(2 * kept, TimeUnit.MILLISECONDS.toNanos(LONGEST_KEPT_MILLIS))
                : TimeUnit.MILLISECONDS.toNanos(KEPT_MILLIS);
    }
}
