package dev.toolfleet.loading;

import java.util.Map;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolModule;
import tools.jackson.databind.node.ObjectNode;

/// Turns an entry into its code. Called on a separate thread per module, several at a time.
public interface ModuleLoader {
    /// Returns the module of a Tool.
    ///
    /// @param bundle the bundle with the files
    /// @param spec the Tool's declaration, with its entry
    /// @param files digests that the files must have, by their path in the bundle
    /// @throws ModuleLoadException naming the missing or different thing
    ToolModule tool(String bundle, ToolSpec spec, Map<String, String> files);

    /// Limits a Tool's configuration to the ceilings of this process.
    ///
    /// @param tool the Tool's name, for the error text
    /// @param config its `spec.config`
    /// @return the same, or with narrower values where the code has wider defaults
    /// @throws RuntimeException naming the value, if the configuration exceeds a ceiling
    default ObjectNode bounded(String tool, EntryKind entry, ObjectNode config) {
        return config;
    }

    /// Returns the source of tokens for a Tool whose module is [dev.toolfleet.tool.Authorized].
    ///
    /// @throws ModuleLoadException when calls of this process have no tokens
    default TokenSource tokens(String bundle, ToolSpec spec) {
        return EntryModules.NO_TOKENS.apply(bundle, spec);
    }

    /// Returns the module of an Extension.
    ///
    /// @throws ModuleLoadException naming the missing or different thing
    ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files);
}
