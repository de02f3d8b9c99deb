package dev.toolfleet.worker.execute;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Loop that runs actions at deadlines, on one platform thread, so that handlers that use all processor time cannot
/// starve it.
///
/// **Contract.** To set a deadline and to cancel it is one operation each on a concurrent set: nothing is sorted, no
/// lock is shared, and the thread is woken only if the new deadline is the nearest. In return the thread examines all
/// deadlines whenever it wakes. It wakes for the nearest one of the last examination, even if that was cancelled
/// meanwhile. This suits deadlines that are set for every call and rarely reached.
///
/// **Threads.** No deadline is missed. A caller adds its deadline (1), reads the time at which the thread wakes (2),
/// and wakes it if that is later. The thread writes that it wakes late (a), examines the set (b), and then writes the
/// time (c). A deadline that b does not see was added after a, so 2 comes after a too. Between a and c the caller wakes
/// the thread, which examines the set again. After c the caller wakes it if the deadline is nearer than the time of c.
public final class DeadlineLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeadlineLoop.class);
    private static final long LONGEST_SLEEP = Duration.ofMinutes(1).toNanos();
    /// Deadlines closer together than this share one wake-up.
    private static final long SHORTEST_SLEEP = Duration.ofMillis(1).toNanos();

    private final Timers timers;

    /// Starts the thread.
    public DeadlineLoop() {
        this(new Clock());
    }

    /// @param timers runs the actions, and is closed with the loop
    public DeadlineLoop(Timers timers) {
        this.timers = timers;
    }

    /// Runs actions later.
    public interface Timers extends AutoCloseable {
        /// Runs a short, non-blocking action after `nanos` nanoseconds.
        Alarm after(long nanos, Runnable action);

        @Override
        default void close() {}
    }

    /// An action that will run.
    @FunctionalInterface
    public interface Alarm {
        /// Cancels it, unless it has begun.
        void cancel();
    }

    /// Runs a short, non-blocking action after a delay, unless it is cancelled before.
    public Alarm after(Duration delay, Runnable action) {
        return timers.after(delay.toNanos(), action);
    }

    @Override
    public void close() {
        timers.close();
    }

    private static final class Clock implements Timers {
        private final Set<Entry> entries = ConcurrentHashMap.newKeySet();
        private final Thread thread = Thread.ofPlatform().name("deadlines").daemon().unstarted(this::run);
        /// Time at which the thread wakes, by `System.nanoTime`.
        private volatile long wakes = System.nanoTime() + LONGEST_SLEEP;
        private volatile boolean closed;

        Clock() {
            thread.start();
        }

        private final class Entry implements Alarm {
            private final long at;
            private final Runnable action;

            Entry(long at, Runnable action) {
                this.at = at;
                this.action = action;
            }

            @Override
            public void cancel() {
                entries.remove(this);
            }
        }

        @Override
        public Alarm after(long nanos, Runnable action) {
            Entry entry = new Entry(System.nanoTime() + nanos, action);
            entries.add(entry);
            if (entry.at - wakes < 0)
                LockSupport.unpark(thread);
            return entry;
        }

        private void run() {
            while (!closed) {
                long now = System.nanoTime();
                wakes = now + LONGEST_SLEEP;
                long nearest = look(now);
                wakes = nearest;
                LockSupport.parkNanos(Math.max(SHORTEST_SLEEP, nearest - System.nanoTime()));
            }
        }

        /// Runs the actions that are due, and returns the time of the next examination. A method of its own, because
        /// the iterator keeps its last element. Otherwise: while the thread sleeps, it holds a call that has ended,
        /// with its arguments and its module's classes.
        private long look(long now) {
            long nearest = now + LONGEST_SLEEP;
            for (Entry entry : entries) {
                if (entry.at - now <= 0)
                    ring(entry);
                else if (entry.at - nearest < 0)
                    nearest = entry.at;
            }
            return nearest;
        }

        private void ring(Entry entry) {
            if (!entries.remove(entry))
                return;
            try {
                entry.action.run();
            } catch (Throwable e) {
                // The loop must survive any failure of an action: it alone runs the others.
                LOG.atError().setCause(e).addKeyValue(LogKeys.REASON, e.toString()).log("action of a deadline failed");
            }
        }

        @Override
        public void close() {
            closed = true;
            LockSupport.unpark(thread);
        }
    }
}
