package dev.toolfleet.catalog.middleware;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// Threads for extensions' code of steps, with a limit for each run, so that hanging code holds no stream thread.
///
/// **Contract.** [#run] returns when the code has returned, has thrown, or has used up its limit. Code that has used it
/// up is *left behind*: it is interrupted once. From then on it changes nothing of the step and cannot proceed. Its
/// thread and its module stay until it returns. While [#MOST] of one extension are left behind, its code fails at once.
///
/// **Threads.** Thread-safe. The caller's thread waits; a layer's thread is the caller of the layer inside it.
///
/// **Why platform threads.** A virtual thread that computes without a pause keeps its carrier. Otherwise: two of them
/// on two processors stop every other layer of the service. Threads are used again, so a layer costs a hand-over.
public final class LayerThreads implements AutoCloseable {
    /// The time limit of one layer's or one memory's code for one step or result, without the layers inside it.
    public static final Duration LIMIT = Duration.ofSeconds(2);
    /// The most threads that one extension may leave behind.
    static final int MOST = 8;

    private final Duration limit;
    private final ExecutorService threads = Executors
            .newCachedThreadPool(Thread.ofPlatform().daemon().name("toolfleet-step-layer-", 0).factory());
    private final ConcurrentMap<String, AtomicInteger> leftBehind = new ConcurrentHashMap<>();

    /// Code of an extension.
    @FunctionalInterface
    public interface Code {
        /// Runs the code, on its own thread.
        ///
        /// @param turn applies changes to the waiting step
        void run(LayerTurn turn) throws Throwable;
    }

    /// Makes threads with the usual limit.
    public LayerThreads() {
        this(LIMIT);
    }

    LayerThreads(Duration limit) {
        this.limit = limit;
    }

    /// Runs code and waits for it.
    ///
    /// @param extension as bundle and name
    /// @param layers held by the caller, and by the code's thread if it is left behind
    /// @throws LeftBehindException when the code has used up its limit, or too many runs of its extension are left
    ///         behind
    /// @throws Throwable the exception of the code
    public void run(String extension, StepLayers layers, Code code) throws Throwable {
        AtomicInteger stuck = leftBehind.computeIfAbsent(extension, none -> new AtomicInteger());
        if (stuck.get() >= MOST)
            throw new LeftBehindException("it was not run, since " + MOST + " earlier runs of it have not returned");
        LayerTurn turn = new LayerTurn(limit);
        threads.execute(() -> {
            turn.run(code);
            if (turn.isLeftBehind()) {
                layers.release();
                stuck.decrementAndGet();
            }
        });
        // Acquired before the code may be left behind: its thread releases both.
        Throwable problem = turn.await(() -> {
            layers.acquire();
            stuck.incrementAndGet();
        });
        if (problem != null)
            throw problem;
    }

    /// Number of threads that are left behind now.
    public int leftBehind() {
        return leftBehind.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    /// Interrupts running code, without waiting.
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
