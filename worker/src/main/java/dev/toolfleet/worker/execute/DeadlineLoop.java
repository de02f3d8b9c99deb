package dev.toolfleet.worker.execute;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Wakes up for deadlines, on one platform thread, so that handlers that burn processor time cannot starve it.
public final class DeadlineLoop implements AutoCloseable {
    private final ScheduledExecutorService timers;

    /// Starts the thread.
    public DeadlineLoop() {
        this(thread());
    }

    /// @param timers its one thread, which it ends
    public DeadlineLoop(ScheduledExecutorService timers) {
        this.timers = timers;
    }

    private static ScheduledExecutorService thread() {
        ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1,
                Thread.ofPlatform().name("deadlines").daemon().factory());
        thread.setRemoveOnCancelPolicy(true);
        return thread;
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
