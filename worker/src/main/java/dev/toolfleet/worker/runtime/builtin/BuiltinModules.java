package dev.toolfleet.worker.runtime.builtin;

import java.util.Map;
import java.util.function.Supplier;

import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.tools.bash.BashModule;
import dev.toolfleet.worker.tools.filesystem.FileSystemModule;

/// The Tools that ship with the fleet, by the name in their entry, `builtin:NAME`.
public final class BuiltinModules {
    /// Makes a new module of each.
    public static final Map<String, Supplier<ToolModule>> TOOLS = Map.of("bash", BashModule::new, "file-system",
            FileSystemModule::new);

    private BuiltinModules() {}
}
