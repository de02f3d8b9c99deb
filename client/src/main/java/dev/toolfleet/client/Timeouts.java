package dev.toolfleet.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/// Ends what waits too long, on a thread of its own that only hands on.
final class Timeouts implements AutoCloseable {
    private final ScheduledThreadPoolExecutor timer;

    Timeouts(String threadName) {
        timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, threadName);
            thread.setDaemon(true);
            return thread;
        });
        // What has ended must not stay in memory until it would have timed out.
        timer.setRemoveOnCancelPolicy(true);
    }

    /// Tells `expired` how long was waited, unless `call` has ended by then.
    ///
    /// @param afterPending the limit from each pending result on, which then replaces the first one
    void start(CallHandle call, Duration limit, Optional<Duration> afterPending, Consumer<Duration> expired) {
        AtomicReference<Future<?>> timing = new AtomicReference<>(schedule(limit, expired));
        afterPending.ifPresent(longer -> call.onPending(
                pending -> timing.getAndSet(schedule(longer, expired)).cancel(false)));
        // Both run on the call's serial executor, one after the other.
        call.result().whenComplete((result, problem) -> timing.get().cancel(false));
    }

    /// Tells `expired` how long was waited, unless `stage` has ended by then.
    void start(CompletionStage<?> stage, Duration limit, Runnable expired) {
        Future<?> timing = schedule(limit, waited -> expired.run());
        stage.whenComplete((result, problem) -> timing.cancel(false));
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    private Future<?> schedule(Duration limit, Consumer<Duration> expired) {
        try {
            // Saturates: a deadline may be a thousand years away, and the call has been sent.
            return timer.schedule(() -> expired.accept(limit), TimeUnit.MILLISECONDS.convert(limit),
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The client is closing, which ends everything that waits.
            return CompletableFuture.completedFuture(null);
        }
    }
}
