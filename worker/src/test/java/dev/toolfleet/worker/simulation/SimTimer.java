package dev.toolfleet.worker.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/// A single simulated thread that runs tasks one by one, at once or later. Its methods are those of
/// [ScheduledExecutorService] that the engine calls.
final class SimTimer {
    private final Fibers fibers;
    private final Fibers.Program program;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean stopped;

    SimTimer(Fibers fibers, Fibers.Program program) {
        this.fibers = fibers;
        this.program = program;
        fibers.spawn(program, () -> {
            while (true) {
                fibers.await(() -> !tasks.isEmpty(), Long.MAX_VALUE);
                tasks.remove().run();
            }
        });
    }

    ScheduledExecutorService asExecutor() {
        return Fakes.of(ScheduledExecutorService.class, this);
    }

    public void execute(Runnable task) {
        if (!stopped)
            tasks.add(task);
    }

    public @Nullable ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        fibers.spawn(program, () -> {
            fibers.sleep(unit.toMillis(delay));
            execute(task);
        });
        return null;
    }

    public List<Runnable> shutdownNow() {
        stopped = true;
        tasks.clear();
        return List.of();
    }

    /// Waits for a future of the engine's, in simulated time.
    static boolean await(Fibers fibers, CompletableFuture<?> future, long millis) {
        return fibers.await(future::isDone, millis);
    }
}
