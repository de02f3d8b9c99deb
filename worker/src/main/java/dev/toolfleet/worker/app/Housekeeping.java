package dev.toolfleet.worker.app;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/// Does now and then, on a thread of its own, what nobody waits for.
final class Housekeeping implements AutoCloseable {
    private static final long MINUTES = 60;

    private final ScheduledExecutorService thread = Executors
            .newSingleThreadScheduledExecutor(Thread.ofPlatform().name("housekeeping").daemon().factory());
    private final Runnable work;
    private @Nullable ScheduledFuture<?> running;

    Housekeeping(Runnable work) {
        this.work = work;
    }

    void start() {
        running = thread.scheduleWithFixedDelay(work, 1, MINUTES, TimeUnit.MINUTES);
    }

    @Override
    public void close() {
        if (running != null)
            running.cancel(false);
        thread.shutdownNow();
    }
}
