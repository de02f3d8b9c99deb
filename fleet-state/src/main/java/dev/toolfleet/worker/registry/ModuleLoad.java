package dev.toolfleet.worker.registry;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One module of one declaration: being loaded, loaded, or failed with a reason. Thread-safe.
///
/// **Contract.** It is *settled* once it has loaded or failed, at most the limit of [ModuleThreads] after [#begin]. One
/// thread at a time loads it: a retry while a load hangs begins nothing.
///
/// Interleavings, each decided by this object's monitor:
/// - *It loads as its limit passes.* Loaded first: the limit finds no load of its own. Limit first: it has failed with
///   "did not load within 30 s", and is then loaded after all.
/// - *It loads long after its limit.* It is used if its declaration still counts, and closed if it was dropped.
/// - *It is dropped as it loads.* Dropped first: the load's thread closes the module. Loaded first: [#drop] closes it.
/// - *It fails as a retry is due.* The retry begins another load, or begins none and the next one does.
///
/// @param <M> the loaded module
final class ModuleLoad<M> {
    private static final Logger LOG = LoggerFactory.getLogger(ModuleLoad.class);

    private final String name;
    private final Callable<M> code;
    private final Consumer<M> closer;
    private final ModuleThreads threads;
    private final Runnable changed;
    private @Nullable M module;
    private @Nullable String problem;
    private @Nullable Attempt running;
    private boolean dropped;

    /// Creates a module that is not loaded before [#begin].
    ///
    /// @param name for logs
    /// @param code makes the module; its exception is the reason of a failure
    /// @param closer ends the use of a module
    /// @param changed runs after each change, on any thread, without a lock
    ModuleLoad(String name, Callable<M> code, Consumer<M> closer, ModuleThreads threads, Runnable changed) {
        this.name = name;
        this.code = code;
        this.closer = closer;
        this.threads = threads;
        this.changed = changed;
    }

    private static final class Attempt {
        private @Nullable Thread thread;
        private @Nullable Future<?> limit;
        private @Nullable Future<?> interrupt;

        void over() {
            if (limit != null)
                limit.cancel(false);
            if (interrupt != null)
                interrupt.cancel(false);
        }
    }

    /// Begins to load, unless it has loaded, is being loaded or was dropped. An earlier failure counts until the load
    /// has ended.
    void begin() {
        Attempt attempt = new Attempt();
        Thread thread;
        synchronized (this) {
            if (dropped || module != null || running != null)
                return;
            running = attempt;
        }
        try {
            thread = threads.loading(name, () -> load(attempt));
            synchronized (this) {
                attempt.thread = thread;
                attempt.limit = threads.atLimit(() -> late(attempt));
                attempt.interrupt = threads.interruptMuchLater(thread);
            }
            threads.start(name, thread);
        } catch (Throwable e) {
            ended(attempt, null, ModuleLoadException.reason(e));
        }
    }

    private void load(Attempt attempt) {
        M made = null;
        String why = "dropped";
        try {
            if (isWanted())
                made = code.call();
        } catch (Throwable e) {
            // Includes an Error of the module's own code: it breaks this module and nothing else (G5 in
            // `docs/guarantees.md`).
            why = ModuleLoadException.reason(e);
        }
        ended(attempt, made, why);
    }

    private synchronized boolean isWanted() {
        return !dropped;
    }

    @SuppressWarnings("ReferenceEquality") // An attempt is itself.
    private void late(Attempt attempt) {
        synchronized (this) {
            if (running != attempt || problem != null || dropped)
                return;
            problem = "did not load within " + text(threads.limit()) + "; it is used if it loads after all";
        }
        failed();
    }

    private static String text(Duration limit) {
        return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
    }

    private void ended(Attempt attempt, @Nullable M made, String why) {
        M unwanted = null;
        boolean another = false;
        synchronized (this) {
            running = null;
            attempt.over();
            if (made == null) {
                another = !dropped && !why.equals(problem);
                problem = why;
            } else if (dropped) {
                unwanted = made;
            } else {
                module = made;
                problem = null;
            }
        }
        if (unwanted != null)
            closer.accept(unwanted);
        if (another)
            failed();
        else
            changed.run();
    }

    private void failed() {
        LOG.atError().addKeyValue(LogKeys.MODULE, name).addKeyValue(LogKeys.REASON, problem())
                .log("module cannot be loaded");
        changed.run();
    }

    /// Ends the registry's use of it: a load is interrupted, a module is closed after its last call.
    void drop() {
        M unwanted;
        synchronized (this) {
            if (dropped)
                return;
            dropped = true;
            // The module stays readable: a call that has found it in an earlier view finds it closed, and looks again.
            unwanted = module;
            if (running != null && running.thread != null)
                running.thread.interrupt();
        }
        if (unwanted != null)
            closer.accept(unwanted);
    }

    /// Returns the module; null unless it has loaded.
    synchronized @Nullable M module() {
        return module;
    }

    /// Returns the reason why it has not loaded; null while none is known.
    synchronized @Nullable String problem() {
        return problem;
    }

    /// True if it has loaded or failed.
    synchronized boolean isSettled() {
        return module != null || problem != null;
    }

    /// True if another revision with the same declaration may use it: it has loaded, or is being loaded.
    synchronized boolean isReusable() {
        return problem == null || running != null;
    }
}
