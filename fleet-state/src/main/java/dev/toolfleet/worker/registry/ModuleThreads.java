package dev.toolfleet.worker.registry;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Threads on which code of modules is loaded and closed, a new one for each, so that no other thread waits for it.
///
/// **Contract.** A module has [#limit] to load and as long to close. A thread that exceeds it is left alone, and no
/// other thread waits for it. At most [#MOST] threads load one module. Otherwise: a bundle that is applied again and
/// again, and hangs each time, fills the process with threads.
///
/// **Why platform threads.** A virtual thread that computes without a pause keeps its carrier, which calls need. A
/// thread is used once: its interrupt, its context class loader and its thread locals reach no other module.
final class ModuleThreads {
    /// Time that a module may take to load, and to close.
    static final Duration LIMIT = Duration.ofSeconds(30);
    /// Most threads that load one module at a time, including superseded loads.
    static final int MOST = 4;
    /// Number of limits after which a load is interrupted once, so that a connect that never returns is tried again.
    private static final int INTERRUPT_AFTER = 10;
    private static final Logger LOG = LoggerFactory.getLogger(ModuleThreads.class);

    private final Duration limit;
    private final ThreadFactory threads;
    private final Map<String, Integer> loading = new ConcurrentHashMap<>();
    private final Set<Thread> closing = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor timer;

    ModuleThreads() {
        this(LIMIT, fresh(Thread.currentThread().getContextClassLoader()));
    }

    ModuleThreads(Duration limit) {
        this(limit, fresh(Thread.currentThread().getContextClassLoader()));
    }

    /// @param threads makes daemon threads
    ModuleThreads(Duration limit, ThreadFactory threads) {
        this.limit = limit;
        this.threads = threads;
        timer = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("module-limits").factory());
        // Its thread ends soon after the last load.
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(1, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
    }

    /// Makes threads that inherit nothing. Otherwise: a load that begins on the thread that ends another inherits that
    /// module's thread locals.
    private static ThreadFactory fresh(ClassLoader context) {
        return code -> {
            Thread thread = Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false).unstarted(code);
            thread.setContextClassLoader(context);
            return thread;
        };
    }

    Duration limit() {
        return limit;
    }

    /// Makes a thread that loads a module, not started.
    ///
    /// @param name of the module; counts its threads
    /// @throws ModuleLoadException if [#MOST] others have not returned
    Thread loading(String name, Runnable load) {
        int others = loading.getOrDefault(name, 0);
        if (others >= MOST)
            throw new ModuleLoadException(others + " earlier loads of it have not returned; restart the worker");
        Thread thread = threads.newThread(() -> {
            try {
                load.run();
            } finally {
                loading.computeIfPresent(name, (_, count) -> count == 1 ? null : count - 1);
            }
        });
        thread.setName("module-load-" + name);
        return thread;
    }

    /// Starts a thread of [#loading].
    void start(String name, Thread thread) {
        loading.merge(name, 1, Integer::sum);
        try {
            thread.start();
        } catch (Throwable e) {
            loading.computeIfPresent(name, (_, count) -> count == 1 ? null : count - 1);
            throw e;
        }
    }

    /// Runs `late` once the limit has passed.
    Future<?> atLimit(Runnable late) {
        return timer.schedule(late, limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// Interrupts a load that will hardly end by itself.
    Future<?> interruptMuchLater(Thread load) {
        return timer.schedule(load::interrupt, limit.multipliedBy(INTERRUPT_AFTER).toNanos(), TimeUnit.NANOSECONDS);
    }

    /// Closes a module. Returns at once.
    void close(String name, Runnable close) {
        Thread thread = threads.newThread(() -> closed(name, close));
        thread.setName("module-close-" + name);
        closing.add(thread);
        try {
            thread.start();
        } catch (Throwable e) {
            closing.remove(thread);
            LOG.atWarn().addKeyValue(LogKeys.MODULE, name).addKeyValue(LogKeys.REASON, ModuleLoadException.reason(e))
                    .log("module not closed: no thread");
        }
    }

    private void closed(String name, Runnable close) {
        Thread thread = Thread.currentThread();
        Future<?> limited = null;
        try {
            limited = atLimit(() -> {
                LOG.atWarn().addKeyValue(LogKeys.MODULE, name).addKeyValue(LogKeys.MILLIS, limit.toMillis())
                        .log("module interrupted: it did not close in time");
                thread.interrupt();
            });
            close.run();
        } finally {
            closing.remove(thread);
            if (limited != null)
                limited.cancel(false);
        }
    }

    /// Waits for modules that are being closed.
    void awaitClosed(Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        for (Thread thread : closing) {
            long left = until - System.nanoTime();
            if (left <= 0)
                return;
            thread.join(left / 1_000_000 + 1);
        }
    }
}
