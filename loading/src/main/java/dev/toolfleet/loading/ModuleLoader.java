package dev.toolfleet.loading;

import java.util.Map;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.tool.ToolModule;

/// Turns an entry into the code behind it. Called on a thread that is there for one module,
/// several at a time.
public interface ModuleLoader {
    /// The module behind a Tool.
    ///
    /// @param bundle whose folder holds the files
    /// @param files digests that the files must have, by their path in the bundle
    /// @throws ModuleLoadException saying what is missing or different
    ToolModule tool(String bundle, EntryKind entry, Map<String, String> files);

    /// The module behind an Extension.
    ///
    /// @throws ModuleLoadException saying what is missing or different
    ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files);
}
