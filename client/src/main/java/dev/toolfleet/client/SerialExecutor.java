package dev.toolfleet.client;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the tasks of one receiver in order, one at a time, on the threads of an executor and never on the caller's.
/// Thread-safe.
final class SerialExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    private final Executor threads;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    SerialExecutor(Executor threads) {
        this.threads = threads;
    }

    /// Runs `task` after the earlier ones; returns the number of waiting tasks, this one included.
    int post(Runnable task) {
        int size;
        boolean start;
        synchronized (waiting) {
            waiting.add(task);
            size = waiting.size();
            start = !running;
            running = true;
        }
        if (start)
            start();
        return size;
    }

    private void start() {
        try {
            threads.execute(this::drain);
        } catch (RejectedExecutionException e) {
            // The client is closed and its threads have ended. The last task carries the reason, so it runs here.
            drain();
        }
    }

    private void drain() {
        while (true) {
            Runnable task;
            synchronized (waiting) {
                task = waiting.poll();
                if (task == null) {
                    running = false;
                    return;
                }
            }
            guarded(task);
        }
    }

    /// Runs a listener; its failure must not stop the next one.
    static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("listener failed", e);
        }
    }
}
