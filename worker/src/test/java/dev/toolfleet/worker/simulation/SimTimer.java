package dev.toolfleet.worker.simulation;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.worker.execute.DeadlineLoop;

/// Simulated threads that run tasks later. Its methods are those of [ScheduledExecutorService] that the engine calls.
final class SimTimer {
    private final Fibers fibers;
    private final Fibers.Program program;

    SimTimer(Fibers fibers, Fibers.Program program) {
        this.fibers = fibers;
        this.program = program;
    }

    ScheduledExecutorService asExecutor() {
        return Fakes.of(ScheduledExecutorService.class, this);
    }

    DeadlineLoop asDeadlines() {
        return new DeadlineLoop((nanos, action) -> {
            ScheduledFuture<?> task = schedule(action, nanos, TimeUnit.NANOSECONDS);
            return () -> task.cancel(false);
        });
    }

    private static final class Task extends CompletableFuture<Void> implements ScheduledFuture<Void> {
        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }

    /// A task that runs is not interrupted when it is cancelled: it ends by itself, and late.
    public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
        Task task = new Task();
        fibers.spawn(program, () -> {
            fibers.sleep(unit.toMillis(delay));
            if (!task.isCancelled())
                work.run();
        });
        return task;
    }

    public List<Runnable> shutdownNow() {
        return List.of();
    }
}
