package dev.toolfleet.worker.call;

import java.util.Locale;

import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.worker.execute.Unwanted;
import org.jspecify.annotations.Nullable;

/// Where a call is on its way through the pipeline, for people who ask; and whether an operator's order may take it out
/// of its own thread's hands. Only what has no end of its own is taken: layers, and what is waited for between them. What
/// checks the call, and what notes, starts and runs its handler, hears of orders by itself, and is *held* meanwhile.
///
/// Three may meet: the call's thread holds, and lets go; whoever carries the order out gives up. A call that was given up
/// is never held again, so its handler does not start; one that is held is not given up.
public final class CallCourse {
    /// What a call does.
    public enum Stage {
        /// Whether it ran before, or runs elsewhere, is found out.
        CHECKING,
        /// Middlewares have it, on its way in or out.
        LAYERS,
        /// Its step's catalog is looked up, and policy and arguments are judged.
        CATALOG,
        /// It waits for a slot of its tool's limit.
        SLOT,
        /// Its start is being noted.
        NOTING,
        /// Its handler runs.
        RUNNING,
        /// It waits for its next start.
        BACKOFF;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Thread thread = Thread.currentThread();
    private volatile Stage stage = Stage.CHECKING;
    private volatile long since;
    private volatile @Nullable Unwanted failed;
    private boolean held = true;
    private long freeSince;
    private boolean started;
    private boolean givenUp;
    private boolean left;
    private volatile @Nullable CallIntent intent;

    /// A call that is being checked, on its own thread.
    ///
    /// @param now in epoch milliseconds
    CallCourse(long now) {
        since = now;
    }

    /// The entry on the journal that the call's result closes; null for none.
    public @Nullable CallIntent intent() {
        return intent;
    }

    /// An entry of the call stands on the journal, or is on its way there.
    public void noted(CallIntent open) {
        intent = open;
    }

    /// The call is left to the next owner of its partition: nothing is published for it.
    public void leave() {
        left = true;
    }

    public boolean isLeft() {
        return left;
    }

    public void to(Stage next, long now) {
        stage = next;
        since = now;
    }

    public Stage stage() {
        return stage;
    }

    /// When the stage began, in epoch milliseconds.
    public long since() {
        return since;
    }

    /// An operator has ordered its end; false when one had before.
    public synchronized boolean fail(Unwanted why) {
        if (failed != null)
            return false;
        failed = why;
        return true;
    }

    /// Why an operator wants it to end; null when nobody does.
    @Nullable
    public Unwanted failed() {
        return failed;
    }

    /// The way to its handler begins; false when it was given up.
    public synchronized boolean hold() {
        if (givenUp)
            return false;
        held = true;
        started = true;
        return true;
    }

    /// It is on its way between layers.
    ///
    /// @param now in epoch milliseconds
    public synchronized void letGo(long now) {
        held = false;
        freeSince = now;
    }

    /// Since when nothing that ends by itself has it, in epoch milliseconds; -1 when something has.
    public synchronized long freeSince() {
        return held ? -1 : freeSince;
    }

    /// Whether the way to its handler has begun.
    public synchronized boolean hasStarted() {
        return started;
    }

    /// Takes it out of its thread's hands: then whoever asked ends the call.
    ///
    /// @return null when it is held, or was given up before
    public synchronized @Nullable GivenUp giveUp() {
        if (held || givenUp)
            return null;
        givenUp = true;
        return new GivenUp(started);
    }

    /// Wakes its thread. Only once the call has its end: what the thread makes of its interrupt must not be that.
    public void interrupt() {
        thread.interrupt();
    }

    /// End of the wait for a call.
    ///
    /// @param started true if its handler may have been started
    public record GivenUp(boolean started) {}
}
