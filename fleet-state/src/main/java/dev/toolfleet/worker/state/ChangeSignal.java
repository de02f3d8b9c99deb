package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/// Signal on which calls wait until a followed topic brings the record that they need.
public final class ChangeSignal {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// Creates a signal without waiting threads.
    public ChangeSignal() {}

    /// Wakes the waiting threads. Must be called after the change is visible.
    public void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Returns the result of `look`, which runs again after each signal; null after `atMost`.
    public <T> @Nullable T await(Supplier<@Nullable T> look, Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lock();
        try {
            T found = look.get();
            while (found == null && left > 0) {
                left = changed.awaitNanos(left);
                found = look.get();
            }
            return found;
        } finally {
            lock.unlock();
        }
    }
}
