package dev.toolfleet.worker.execute;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Wakes up for deadlines, on one platform thread, so that handlers that burn processor time cannot starve it.
///
/// Made for deadlines that are set for every call and hardly ever met. To set one, and to take it back, is one operation
/// of a concurrent set: nothing is sorted, no lock is shared, and the thread is not woken unless the new deadline is the
/// nearest. For that the thread looks through all that are set whenever it wakes, which it does for the nearest that it
/// saw the last time, even if that one was taken back meanwhile.
///
/// Nobody is overlooked. Who sets a deadline adds it (1), asks when the thread wakes (2), and wakes it when that is later;
/// the thread says that it wakes late (a), looks through the set (b), and then says when (c). What b does not see was
/// added after a, so 2 comes after a too: between a and c the thread is woken and looks again, and after c it is so if
/// the deadline is nearer than what c says.
public final class DeadlineLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeadlineLoop.class);
    private static final long LONGEST_SLEEP = Duration.ofMinutes(1).toNanos();
    /// Deadlines this near to each other are one awakening.
    private static final long SHORTEST_SLEEP = Duration.ofMillis(1).toNanos();

    private final Timers timers;

    /// Starts the thread.
    public DeadlineLoop() {
        this(new Clock());
    }

    /// @param timers does it, and is closed with the loop
    public DeadlineLoop(Timers timers) {
        this.timers = timers;
    }

    /// Runs actions later.
    public interface Timers extends AutoCloseable {
        /// Runs a short, non-blocking action after so many nanoseconds.
        Alarm after(long nanos, Runnable action);

        @Override
        default void close() {}
    }

    /// An action that will run.
    @FunctionalInterface
    public interface Alarm {
        /// It will not, unless it already has begun.
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
        /// When the thread wakes, by `System.nanoTime`.
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

        /// Rings what is due, and says when to look again. A method of its own, since the iterator keeps what it saw last:
        /// while the thread sleeps, that would be a call that has ended, with its arguments and its module's classes.
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
                // Nobody else keeps deadlines: whatever this one met, the others still have to ring.
                LOG.atError().setCause(e).addKeyValue(LogKeys.REASON, e.toString()).log("a deadline's action failed");
            }
        }

        @Override
        public void close() {
            closed = true;
            LockSupport.unpark(thread);
        }
    }
}
