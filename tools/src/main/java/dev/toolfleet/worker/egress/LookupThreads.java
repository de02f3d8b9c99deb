package dev.toolfleet.worker.egress;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Platform threads that look names up for commands. Thread-safe.
///
/// **Why.** A look-up cannot be interrupted, and holds the carrier of a virtual thread. Otherwise: a command looks up many
/// names at a name server that does not answer, and the calls of others find no carrier.
final class LookupThreads implements AutoCloseable {
    private static final int THREADS = 64;
    private static final long SECONDS = 10;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(0, THREADS, SECONDS, TimeUnit.SECONDS,
            new SynchronousQueue<>(), Thread.ofPlatform().daemon().name("egress-lookup").factory());

    /// The answer of a look-up, if it comes in time.
    ///
    /// @throws IOException when it does not
    AddressLookup.Answer of(HostName host, EgressRules rules) throws IOException {
        try {
            Future<AddressLookup.Answer> answer = threads.submit(() -> rules.lookup().of(host, rules.addresses()));
            return answer.get(SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | RejectedExecutionException e) {
            throw new IOException("no answer of the name service in time", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
