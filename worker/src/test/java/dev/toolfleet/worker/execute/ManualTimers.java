package dev.toolfleet.worker.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Timers that the test fires, on its thread.
final class ManualTimers {
    private static final class Task {
        private final Runnable work;
        private final long at;

        Task(Runnable work, long at) {
            this.work = work;
            this.at = at;
        }
    }

    private final List<Task> tasks = new ArrayList<>();
    private long now;

    long nanos() {
        return now;
    }

    DeadlineLoop loop() {
        return new DeadlineLoop((nanos, action) -> {
            Task task = new Task(action, now + nanos);
            tasks.add(task);
            return () -> tasks.remove(task);
        });
    }

    /// Lets time pass, and what is due happen.
    void pass(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
        List<Task> due = tasks.stream().filter(task -> task.at <= now).toList();
        tasks.removeAll(due);
        due.forEach(task -> task.work.run());
    }

    /// Number of waiting timers.
    long waiting() {
        return tasks.size();
    }
}
