package dev.toolfleet.loading;

import java.util.Map;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.tool.ToolModule;
import tools.jackson.databind.node.ObjectNode;

/// Turns an entry into the code behind it. Called on a thread that is there for one module,
/// several at a time.
public interface ModuleLoader {
    /// The module behind a Tool.
    ///
    /// @param bundle whose folder holds the files
    /// @param files digests that the files must have, by their path in the bundle
    /// @throws ModuleLoadException saying what is missing or different
    ToolModule tool(String bundle, EntryKind entry, Map<String, String> files);

    /// The configuration of a Tool as this process lets it be used.
    ///
    /// @param tool the Tool's name, for the refusal
    /// @param config its `spec.config`
    /// @return the same, or with less than what the code has by default
    /// @throws RuntimeException when it opens more than this process allows, saying what
    default ObjectNode bounded(String tool, EntryKind entry, ObjectNode config) {
        return config;
    }

    /// The module behind an Extension.
    ///
    /// @throws ModuleLoadException saying what is missing or different
    ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files);
}
