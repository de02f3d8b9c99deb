package dev.toolfleet.worker.runtime.builtin;

import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.registry.ModuleLoadException;
import dev.toolfleet.worker.tools.bash.BashModule;
import dev.toolfleet.worker.tools.filesystem.FileSystemModule;

/// The Tools that ship with the fleet, by the name in their entry, `builtin:NAME`.
public final class BuiltinModules {
    private static final Map<String, Supplier<ToolModule>> MODULES = Map.of("bash", BashModule::new, "file-system",
            FileSystemModule::new);

    private BuiltinModules() {}

    /// A new module.
    ///
    /// @throws ModuleLoadException if there is no built-in tool of that name
    public static ToolModule create(String name) {
        Supplier<ToolModule> module = MODULES.get(name);
        if (module == null)
            throw new ModuleLoadException("no built-in tool is called '" + name + "'; there are: "
                    + String.join(", ", names()));
        return module.get();
    }

    /// The names of all.
    public static SortedSet<String> names() {
        return new TreeSet<>(MODULES.keySet());
    }
}
