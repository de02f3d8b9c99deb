package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Thread for periodic work for which no call waits.
public final class Housekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration FIRST = Duration.ofMinutes(1);
    private static final Duration BETWEEN = Duration.ofHours(1);

    private final ScheduledExecutorService thread = Executors
            .newSingleThreadScheduledExecutor(Thread.ofPlatform().name("housekeeping").daemon().factory());
    private final Runnable work;
    private final Duration first;
    private final Duration between;
    private @Nullable ScheduledFuture<?> running;

    /// Works a minute after its start, and then each hour.
    public Housekeeping(Runnable work) {
        this(work, FIRST, BETWEEN);
    }

    /// Works at intervals of the caller's.
    public Housekeeping(Runnable work, Duration first, Duration between) {
        this.work = work;
        this.first = first;
        this.between = between;
    }

    /// Starts the thread.
    public void start() {
        running = thread.scheduleWithFixedDelay(this::once, first.toMillis(), between.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /// An exception of a scheduled task would end its schedule without a word.
    private void once() {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).setCause(e).log("housekeeping failed, again later");
        }
    }

    @Override
    public void close() {
        if (running != null)
            running.cancel(false);
        thread.shutdownNow();
    }
}
