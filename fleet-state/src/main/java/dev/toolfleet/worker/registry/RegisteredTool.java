package dev.toolfleet.worker.registry;

import java.util.Optional;

import dev.toolfleet.bundle.ToolAnnotations;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.loading.LoadedModule;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;

/// Tool that this worker can run. A caller must take it by [ToolRegistry#acquire] and end with [#release], so that a
/// new revision of the bundle does not close the module during the call.
public final class RegisteredTool {
    private final ToolExport export;
    private final int errorMessageLimit;
    private final ToolHandler handler;
    private final ToolModule module;
    private final LoadedModule<?> kept;

    /// @param kept the module that stays open while the tool runs: the tool's own, or the extension that offers it
    RegisteredTool(ToolExport export, int errorMessageLimit, ToolHandler handler, ToolModule module,
            LoadedModule<?> kept) {
        this.export = export;
        this.errorMessageLimit = errorMessageLimit;
        this.handler = handler;
        this.module = module;
        this.kept = kept;
    }

    /// Returns the declaration.
    public ToolExport export() {
        return export;
    }

    /// Most UTF-16 units of an error message that the caller sees.
    public int errorMessageLimit() {
        return errorMessageLimit;
    }

    /// Returns the handler.
    public ToolHandler handler() {
        return handler;
    }

    /// Returns the module of the handler.
    public ToolModule module() {
        return module;
    }

    /// Returns an object that is equal for as long as the code stays loaded: a new revision of the Tool has another.
    public Object code() {
        return new Code(kept, handler);
    }

    private record Code(LoadedModule<?> module, ToolHandler handler) {}

    /// Returns the same tool with another handler; needs no use of its own while this one is held.
    public RegisteredTool with(ToolHandler other) {
        return new RegisteredTool(export, errorMessageLimit, other, module, kept);
    }

    /// Returns the same tool with a handler that only reads, so it may be interrupted and run again.
    public RegisteredTool looking(ToolHandler look) {
        ToolExport looks = new ToolExport(export.name(), export.description(), export.parameters(), Optional.empty(),
                new ToolAnnotations(true, true, false, export.annotations().openWorld()), export.policy(),
                export.execution(), export.auth());
        return new RegisteredTool(looks, errorMessageLimit, look, module, kept);
    }

    /// Keeps the module open. Returns false if it is closed already and the tool must be looked up again.
    boolean acquire() {
        return kept.acquire();
    }

    /// Ends a use.
    public void release() {
        kept.release();
    }
}
