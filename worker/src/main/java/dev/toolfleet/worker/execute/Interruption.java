package dev.toolfleet.worker.execute;

import org.jspecify.annotations.Nullable;

/// The one interrupt that a running handler may get, and why. Delivered only while the handler runs: afterwards the
/// thread's interrupt flag is clean again, whatever the race.
final class Interruption {
    /// Why a handler is interrupted.
    enum Cause {
        /// Its deadline has come.
        DEADLINE,
        /// Somebody cancelled the call.
        CANCELLED,
        /// The worker no longer owns the call's partition.
        REVOKED,
        /// The worker stops and has waited long enough.
        SHUTDOWN
    }

    private final Thread thread = Thread.currentThread();
    private @Nullable Cause cause;
    private @Nullable Unwanted cancel;
    private boolean begun;
    private boolean ended;
    private boolean abandoned;

    /// Interrupts the handler, unless it has ended or was interrupted before.
    synchronized void interrupt(Cause why) {
        if (ended || cause != null)
            return;
        cause = why;
        thread.interrupt();
    }

    /// The same because of a cancellation; false when it has ended or was interrupted before.
    synchronized boolean cancel(Unwanted by) {
        if (ended || cause != null)
            return false;
        cancel = by;
        interrupt(Cause.CANCELLED);
        return true;
    }

    /// The cancellation that was the cause; null when it was another.
    synchronized @Nullable Unwanted cancelledBy() {
        return cancel;
    }

    synchronized boolean interrupted() {
        return cause != null;
    }

    /// The handler begins.
    synchronized void begin() {
        begun = true;
    }

    /// Gives up on the handler; false when it has not begun, has ended, or was given up before.
    synchronized boolean abandon() {
        if (!begun || ended || abandoned)
            return false;
        abandoned = true;
        return true;
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
