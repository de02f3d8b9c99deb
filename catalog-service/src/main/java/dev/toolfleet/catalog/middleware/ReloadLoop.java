package dev.toolfleet.catalog.middleware;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.loading.Retries;
import dev.toolfleet.resources.FleetResources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one thread that loads extensions: when resources changed, and again when something could not be loaded.
///
/// Commands run one after the other, in the order in which they were given (`docs/decisions/0013-loading-module.md`):
///
/// - *A change while a retry runs* waits for its end, at most for one pass over the extensions; steps go on under the
///   snapshot before. A retry takes the resources of its own moment, so it never brings older ones back.
/// - *A retry while a change is being made* comes after it, and does nothing if nothing is missing any more.
/// - *The first steps* are answered after the last change of the start: the reader of the topic waits for each change.
/// - *A change after the close* comes from a run that did not end in time. It is ignored: no step needs it any more.
public final class ReloadLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadLoop.class);
    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final StepExtensions extensions;
    private final Retries retries;
    private final Duration lookEvery;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("toolfleet-step-extensions").factory());

    /// Makes a loop that checks every second, once it is started.
    ///
    /// @param extensions only this loop reloads them
    public ReloadLoop(StepExtensions extensions) {
        this(extensions, System::nanoTime, Retries.FIRST);
    }

    /// @param lookEvery the interval between two checks for a retry
    ReloadLoop(StepExtensions extensions, LongSupplier nanos, Duration lookEvery) {
        this.extensions = extensions;
        this.retries = new Retries(nanos);
        this.lookEvery = lookEvery;
    }

    /// Starts the retries. Call it once, before the close.
    public void start() {
        // A check logs every failure and throws none.
        ScheduledFuture<?> _ = thread.scheduleWithFixedDelay(this::look, lookEvery.toNanos(), lookEvery.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /// Applies the resources, and returns when steps see them. From any thread, started or not.
    public void reload(FleetResources resources) {
        CompletableFuture<Void> done;
        try {
            done = CompletableFuture.runAsync(() -> extensions.reload(resources), thread);
        } catch (RejectedExecutionException e) {
            // Closed.
            return;
        }
        done.join();
    }

    private void look() {
        try {
            if (retries.isDue(!extensions.problems().isEmpty()))
                retries.once(extensions::retry);
        } catch (RuntimeException e) {
            // Otherwise: an exception ends the schedule.
            LOG.atError().setCause(Unquoted.of(e)).log("reload of extensions failed");
        }
    }

    /// Closes every module once its steps have been answered, and ends the thread. Waits five seconds for an extension
    /// that hangs in its registration; the rest is done when it returns.
    @Override
    public void close() {
        try {
            thread.execute(extensions::close);
        } catch (RejectedExecutionException e) {
            // Closed before.
            return;
        }
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE.toNanos(), TimeUnit.NANOSECONDS))
                LOG.atWarn().log("extension still loading: its modules stay open");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
