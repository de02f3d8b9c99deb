package dev.toolfleet.loading;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counted module that is closed when it has been replaced and the last call that uses it has ended.
///
/// @param <M> the kind of module
public final class LoadedModule<M extends AutoCloseable> {
    private static final Logger LOG = LoggerFactory.getLogger(LoadedModule.class);
    private static final int CLOSED = Integer.MIN_VALUE;

    private final String name;
    private final M module;
    private final Executor closing;
    /// The loader's own use counts as one.
    private final AtomicInteger uses = new AtomicInteger(1);

    /// Makes a module with one use, the loader's own. The thread that releases the last use closes it.
    ///
    /// @param name the module's name in logs
    public LoadedModule(String name, M module) {
        this(name, module, Runnable::run);
    }

    /// Makes a module that another thread closes: closing may take long, and the last use may be a call.
    ///
    /// @param closing runs the end of the module, once
    public LoadedModule(String name, M module, Executor closing) {
        this.name = name;
        this.module = module;
        this.closing = closing;
    }

    /// The module.
    public M module() {
        return module;
    }

    /// Takes a use; false when the module is closed.
    public boolean acquire() {
        return uses.getAndUpdate(held -> held < 0 ? held : held + 1) >= 0;
    }

    /// Releases a use; the last release closes the module.
    public void release() {
        int left = uses.updateAndGet(held -> held == 1 ? CLOSED : held - 1);
        if (left == CLOSED)
            closing.execute(this::close);
    }

    private void close() {
        try {
            module.close();
        } catch (Throwable e) {
            // Catches everything: this runs at the end of a call or of a reload, and neither may fail because of it
            // (G5).
            LOG.atWarn().addKeyValue(LoadingLogKeys.REASON, e.getClass().getName())
                    .addKeyValue(LoadingLogKeys.MODULE, name)
                    .log("module did not close");
        }
        // A module from a jar has a class loader of its own, which holds the jar open. Any other loader has more than
        // this module's classes.
        if (module.getClass().getClassLoader() instanceof JarClassLoader own)
            own.dispose();
    }
}
