package dev.toolfleet.worker.registry;

import dev.toolfleet.bundle.ToolAnnotations;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.loading.LoadedModule;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;

/// A tool that this worker can run. Whoever runs it takes it by [ToolRegistry#acquire] and ends with [#release], so
/// that a new revision of the bundle does not close the module underneath it.
public final class RegisteredTool {
    private final ToolExport export;
    private final int errorMessageLimit;
    private final ToolHandler handler;
    private final ToolModule module;
    private final LoadedModule<?> kept;

    /// @param kept what has to stay open while the tool runs: the module itself, or the extension that offers it
    RegisteredTool(ToolExport export, int errorMessageLimit, ToolHandler handler, ToolModule module,
            LoadedModule<?> kept) {
        this.export = export;
        this.errorMessageLimit = errorMessageLimit;
        this.handler = handler;
        this.module = module;
        this.kept = kept;
    }

    /// The declaration.
    public ToolExport export() {
        return export;
    }

    /// How many UTF-16 units of an error message the caller sees.
    public int errorMessageLimit() {
        return errorMessageLimit;
    }

    /// The code.
    public ToolHandler handler() {
        return handler;
    }

    /// The module that the code belongs to.
    public ToolModule module() {
        return module;
    }

    /// Equal for as long as the code stays loaded: a new revision of the Tool has another.
    public Object code() {
        return new Code(kept, handler);
    }

    private record Code(LoadedModule<?> module, ToolHandler handler) {}

    /// The same tool with other code; needs no use of its own while this one is held.
    public RegisteredTool with(ToolHandler other) {
        return new RegisteredTool(export, errorMessageLimit, other, module, kept);
    }

    /// The same tool with code that only looks, so it may be interrupted and run again.
    public RegisteredTool looking(ToolHandler look) {
        ToolExport looks = new ToolExport(export.name(), export.description(), export.parameters(),
                new ToolAnnotations(true, true, false, export.annotations().openWorld()), export.policy(),
                export.execution());
        return new RegisteredTool(looks, errorMessageLimit, look, module, kept);
    }

    /// Keeps the module open; false when it is closed already and the tool must be looked up again.
    boolean acquire() {
        return kept.acquire();
    }

    /// Ends a use.
    public void release() {
        kept.release();
    }
}
