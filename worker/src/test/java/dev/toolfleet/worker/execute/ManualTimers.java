package dev.toolfleet.worker.execute;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/// Timers that fire when the test says so, on its thread.
final class ManualTimers {
    private static final class Task extends CompletableFuture<Void> implements ScheduledFuture<Void> {
        private final Runnable work;
        private final long at;

        Task(Runnable work, long at) {
            this.work = work;
            this.at = at;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }

    private final List<Task> tasks = new ArrayList<>();
    private long now;

    long nanos() {
        return now;
    }

    DeadlineLoop loop() {
        return new DeadlineLoop((ScheduledExecutorService) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[]{ScheduledExecutorService.class}, (_, method, arguments) -> {
                    if (!method.getName().equals("schedule"))
                        throw new UnsupportedOperationException(method.getName());
                    Task task = new Task((Runnable) arguments[0], now + (long) arguments[1]);
                    tasks.add(task);
                    return task;
                }));
    }

    /// Lets time pass, and what is due happen.
    void pass(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
        List<Task> due = tasks.stream().filter(task -> task.at <= now).toList();
        tasks.removeAll(due);
        due.stream().filter(task -> !task.isCancelled()).forEach(task -> task.work.run());
    }

    /// How many wait.
    long waiting() {
        return tasks.stream().filter(task -> !task.isCancelled()).count();
    }
}
