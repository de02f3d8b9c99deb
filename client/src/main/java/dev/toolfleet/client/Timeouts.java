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

/// Ends waits that take too long, on its own thread, which only passes the work on.
final class Timeouts implements AutoCloseable {
    private final ScheduledThreadPoolExecutor timer;

    Timeouts(String threadName) {
        timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, threadName);
            thread.setDaemon(true);
            return thread;
        });
        // Otherwise: an ended wait stays in memory until its timeout.
        timer.setRemoveOnCancelPolicy(true);
    }

    /// Calls `expired` with the limit, unless `call` has ended by then.
    ///
    /// @param afterPending the limit from each pending result on, which then replaces the first one
    void start(CallHandle call, Duration limit, Optional<Duration> afterPending, Consumer<Duration> expired) {
        AtomicReference<Future<?>> timing = new AtomicReference<>(schedule(limit, expired));
        afterPending.ifPresent(longer -> call.onPending(
                pending -> timing.getAndSet(schedule(longer, expired)).cancel(false)));
        // Both run on the call's serial executor, one after the other.
        call.result().whenComplete((result, problem) -> timing.get().cancel(false));
    }

    /// Calls `expired` unless `stage` has ended within the limit.
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
            // The client is closing; that ends every wait.
            return CompletableFuture.completedFuture(null);
        }
    }
}
