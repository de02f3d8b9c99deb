package dev.toolfleet.worker.execute;

import org.jspecify.annotations.Nullable;

/// The one interrupt that a running handler may get, and why. Delivered only while the handler runs: afterwards the
/// thread's interrupt flag is clean again, whatever the race.
final class Interruption {
    /// Why a handler is interrupted.
    enum Cause {
        /// Its deadline has come.
        DEADLINE,
        /// The worker no longer owns the call's partition.
        REVOKED,
        /// The worker stops and has waited long enough.
        SHUTDOWN
    }

    private final Thread thread = Thread.currentThread();
    private @Nullable Cause cause;
    private boolean ended;
    private boolean abandoned;

    /// Interrupts the handler, unless it has ended or was interrupted before.
    synchronized void interrupt(Cause why) {
        if (ended || cause != null)
            return;
        cause = why;
        thread.interrupt();
    }

    synchronized boolean interrupted() {
        return cause != null;
    }

    /// Gives up on the handler; false when it has ended.
    synchronized boolean abandon() {
        abandoned = !ended;
        return abandoned;
    }

    synchronized boolean abandoned() {
        return abandoned;
    }

    /// The handler has ended; says why it was interrupted, if it was. Called on the handler's thread.
    synchronized @Nullable Cause end() {
        ended = true;
        // Also when the flag is the handler's own: what follows on this thread is the fleet's.
        Thread.interrupted();
        return cause;
    }
}
