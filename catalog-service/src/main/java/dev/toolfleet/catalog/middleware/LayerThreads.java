package dev.toolfleet.catalog.middleware;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// Threads that run code of extensions for steps, with a limit each, so that no code that hangs holds a stream thread.
///
/// **Contract.** [#run] returns when the code has returned, has thrown, or has used up its limit. Code that has used it up
/// is *left behind*: it is interrupted once, and from then on changes nothing of the step and cannot proceed. Its
/// thread and its module stay until it returns. While [#MOST] of one extension are left behind, its code fails at once.
///
/// **Threads.** Thread-safe. The caller's thread waits; a layer's thread is the caller of the layer inside it.
///
/// **Why platform threads.** A virtual thread that computes without a pause keeps its carrier, and two of them on two
/// processors would stop every other layer of the service. Threads are used again, so a layer costs a hand-over.
public final class LayerThreads implements AutoCloseable {
    /// What the code of one layer, or of one memory, may take for one step or result, without the layers inside it.
    public static final Duration LIMIT = Duration.ofSeconds(2);
    /// How many threads one extension may leave behind.
    static final int MOST = 8;

    private final Duration limit;
    private final ExecutorService threads = Executors
            .newCachedThreadPool(Thread.ofPlatform().daemon().name("toolfleet-step-layer-", 0).factory());
    private final ConcurrentMap<String, AtomicInteger> leftBehind = new ConcurrentHashMap<>();

    /// Code of an extension.
    @FunctionalInterface
    public interface Code {
        /// Runs on a thread of its own.
        ///
        /// @param turn says whether the step still waits
        void run(LayerTurn turn) throws Throwable;
    }

    /// Threads with the usual limit.
    public LayerThreads() {
        this(LIMIT);
    }

    LayerThreads(Duration limit) {
        this.limit = limit;
    }

    /// Runs code and waits for it.
    ///
    /// @param extension as bundle and name
    /// @param layers held by the caller, and by the code's thread should it be left behind
    /// @throws LeftBehindException when the code has used up its limit, or too much of its extension is left behind
    /// @throws Throwable what the code throws
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
        // Before the code may be left behind: its thread gives both back.
        Throwable problem = turn.await(() -> {
            layers.acquire();
            stuck.incrementAndGet();
        });
        if (problem != null)
            throw problem;
    }

    /// How many threads are left behind now.
    public int leftBehind() {
        return leftBehind.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    /// Interrupts what still runs. Nothing is waited for.
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
