package dev.toolfleet.worker.bridge;

import java.util.List;

/// Work that is done side by side, each on a thread of its own.
final class SideBySide {
    private SideBySide() {}

    /// Runs all, and returns when all have ended. An interrupt is kept for afterwards.
    static void run(List<Runnable> works) {
        List<Thread> threads = works.stream().map(work -> Thread.ofVirtual().start(work)).toList();
        boolean interrupted = Thread.interrupted();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted)
            Thread.currentThread().interrupt();
    }
}
