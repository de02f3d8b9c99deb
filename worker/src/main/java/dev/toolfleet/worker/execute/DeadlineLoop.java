package dev.toolfleet.worker.execute;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Wakes up for deadlines, on one platform thread, so that handlers that burn processor time cannot starve it.
public final class DeadlineLoop implements AutoCloseable {
    private final ScheduledThreadPoolExecutor timers;

    /// Starts the thread.
    public DeadlineLoop() {
        timers = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().name("deadlines").daemon().factory());
        timers.setRemoveOnCancelPolicy(true);
    }

    /// Runs a short, non-blocking action after a delay, unless it is cancelled before.
    Future<?> after(Duration delay, Runnable action) {
        return timers.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        timers.shutdownNow();
    }
}
