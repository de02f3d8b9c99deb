package dev.toolfleet.worker.runtime.builtin;

import java.util.Map;
import java.util.function.Supplier;

import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.tools.agents.AgentsModule;
import dev.toolfleet.worker.tools.bash.BashModule;
import dev.toolfleet.worker.tools.filesystem.FileSystemModule;
import dev.toolfleet.worker.tools.toolsearch.ToolSearchModule;
import dev.toolfleet.worker.tools.toolsearch.ToolSearchModule.Searchable;

/// The Tools that ship with the fleet, by the name in their entry, `builtin:NAME`.
public final class BuiltinModules {
    private BuiltinModules() {}

    /// What makes a new module of each.
    ///
    /// @param searchable what `tool-search` searches
    public static Map<String, Supplier<ToolModule>> tools(Searchable searchable) {
        return Map.of("agents", AgentsModule::new, "bash", BashModule::new, "file-system", FileSystemModule::new, "tool-search",
                () -> new ToolSearchModule(searchable));
    }
}
