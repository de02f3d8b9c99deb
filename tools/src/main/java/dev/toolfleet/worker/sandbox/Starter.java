package dev.toolfleet.worker.sandbox;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Starts processes on one thread that lives as long as the worker. A process that is set to die with its parent
/// (`PR_SET_PDEATHSIG`) dies with the *thread* that started it, and the threads that carry virtual ones come and go. Each
/// process gets a session keyring of its own.
final class Starter implements AutoCloseable {
    private final ExecutorService thread = Executors
            .newSingleThreadExecutor(Thread.ofPlatform().daemon().name("sandbox-starter").factory());

    /// Starts a process; waits for it although interrupted, since a started process must not be lost.
    Process start(ProcessBuilder builder) throws IOException {
        Future<Process> started = thread.submit(() -> startApart(builder));
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return started.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof IOException failed)
                        throw new IOException(failed.getMessage(), failed);
                    throw new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted)
                Thread.currentThread().interrupt();
        }
    }

    private static Process startApart(ProcessBuilder builder) throws IOException {
        SessionKeyring.renew();
        return builder.start();
    }

    /// Processes that it started and that still run die.
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
