package dev.toolfleet.worker.runtime.builtin;

import java.nio.file.Path;

import dev.toolfleet.config.Settings;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.tools.args.Ceiling;

/// A built-in Tool of an optional module. [java.util.ServiceLoader] finds it where the module is on the class path.
public interface BuiltinTool {
    /// The name in its entry, `builtin:NAME`.
    String name();

    /// Returns the YAML of the Tool and of what belongs to it, which becomes a part of `@toolfleet/base`: the resource
    /// `NAME.yaml` beside the class.
    default String declarations() {
        return BuiltinBundle.text(getClass(), name() + ".yaml");
    }

    /// Makes a new module.
    ///
    /// @param workspace the root of the instances' folders
    ToolModule module(Path workspace);

    /// The most that a bundle may open of it, from `worker.tools.NAME.ceiling`.
    ///
    /// @throws dev.toolfleet.config.ConfigException when a value cannot be used
    Ceiling ceiling(Settings ceiling);
}
