package dev.toolfleet.worker.execute;

import org.jspecify.annotations.Nullable;

/// The one interrupt that a running handler may get, and its cause. It is delivered only while the handler runs.
/// Afterwards the thread's interrupt flag is clear again, whatever the race.
final class Interruption {
    /// Cause of an interrupt.
    enum Cause {
        /// Its deadline has come.
        DEADLINE,
        /// The call was cancelled.
        CANCELLED,
        /// The worker no longer owns the call's partition.
        REVOKED,
        /// The worker stops and has waited long enough.
        SHUTDOWN
    }

    private final Thread thread = Thread.currentThread();
    private @Nullable Cause cause;
    private @Nullable EndOrder cancel;
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

    /// Interrupts the handler because of a cancellation. Returns false if it has ended or was interrupted before.
    synchronized boolean cancel(EndOrder by) {
        if (ended || cause != null)
            return false;
        cancel = by;
        interrupt(Cause.CANCELLED);
        return true;
    }

    /// Returns the cancellation that was the cause; null for another cause.
    synchronized @Nullable EndOrder cancelledBy() {
        return cancel;
    }

    synchronized boolean interrupted() {
        return cause != null;
    }

    /// Notes that the handler begins.
    synchronized void begin() {
        begun = true;
    }

    /// Abandons the handler. Returns false if it has not begun, has ended, or was abandoned before.
    synchronized boolean abandon() {
        if (!begun || ended || abandoned)
            return false;
        abandoned = true;
        return true;
    }

    synchronized boolean abandoned() {
        return abandoned;
    }

    /// Notes that the handler has ended, and returns the cause of its interrupt; null if it was not interrupted. Called
    /// on the handler's thread.
    synchronized @Nullable Cause end() {
        ended = true;
        // Clears the flag even if the handler set it: the worker's code runs on this thread next.
        Thread.interrupted();
        return cause;
    }
}
