package dev.toolfleet.loading;

import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.tool.ToolModule;

/// Maker of modules whose handlers are not in Java.
@FunctionalInterface
public interface ScriptModules {
    /// Makes none, for processes that run no Tools.
    ScriptModules NONE = (spec, path, code) -> {
        throw new ModuleLoadException("nothing here runs " + path);
    };

    /// Returns the module of a Tool.
    ///
    /// @param path the entry's file
    /// @param code the files of the bundle that may be used
    /// @throws ModuleLoadException naming the missing or different thing
    ToolModule tool(ToolSpec spec, String path, BundleCode code);
}
