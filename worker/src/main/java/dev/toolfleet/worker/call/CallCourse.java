package dev.toolfleet.worker.call;

import java.util.Locale;

import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.worker.execute.EndOrder;
import org.jspecify.annotations.Nullable;

/// Place of a call on its way through the pipeline, and the right to take the call out of its own thread's hands.
///
/// **Contract.** Only a call without an end of its own is taken: one in its layers, or in a wait between them. While the call
/// is checked, and while its start is noted, started and run, it is *held*: these parts end by themselves. A call that was
/// given up is never held again, so its handler does not start. A held call is never given up.
///
/// **Threads.** The call's thread holds and lets go; a thread that carries an order out, or watches the deadline, gives up.
public final class CallCourse {
    /// Activities of a call.
    public enum Stage {
        /// Its earlier runs, and runs elsewhere, are looked up.
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
    private long checksMillis;
    private long slotMillis;
    private boolean ran;
    private volatile @Nullable EndOrder failed;
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

    /// It goes on to another activity. On its own thread.
    public void to(Stage next, long now) {
        spend(now - since);
        stage = next;
        since = now;
    }

    /// Adds the time of an activity. The time of middlewares behind the handler counts as no check.
    private synchronized void spend(long millis) {
        switch (stage) {
            case SLOT -> slotMillis += millis;
            case CHECKING, CATALOG, NOTING -> checksMillis += millis;
            case LAYERS -> checksMillis += ran ? 0 : millis;
            case RUNNING -> ran = true;
            case BACKOFF -> {
                // Between two starts.
            }
        }
    }

    /// The time that it has spent on checks before its handler, in milliseconds.
    public synchronized long checksMillis() {
        return checksMillis;
    }

    /// The time that it has waited for a slot, in milliseconds.
    public synchronized long slotMillis() {
        return slotMillis;
    }

    public Stage stage() {
        return stage;
    }

    /// The time at which the activity began, in epoch milliseconds.
    public long since() {
        return since;
    }

    /// An operator has ordered its end; false when one had before.
    public synchronized boolean fail(EndOrder why) {
        if (failed != null)
            return false;
        failed = why;
        return true;
    }

    /// The reason of an operator to end it; null for none.
    @Nullable
    public EndOrder failed() {
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

    /// The time since which nothing that ends by itself holds it, in epoch milliseconds; -1 while something holds it.
    public synchronized long freeSince() {
        return held ? -1 : freeSince;
    }

    /// True if the way to its handler has begun.
    public synchronized boolean hasStarted() {
        return started;
    }

    /// Takes it out of its thread's hands: the caller of this method then ends the call.
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
