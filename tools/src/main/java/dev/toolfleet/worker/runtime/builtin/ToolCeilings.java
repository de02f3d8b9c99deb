package dev.toolfleet.worker.runtime.builtin;

import java.util.HashMap;
import java.util.Map;

import dev.toolfleet.config.Settings;
import dev.toolfleet.worker.tools.args.Ceiling;
import dev.toolfleet.worker.tools.bash.BashCeiling;
import dev.toolfleet.worker.tools.filesystem.FileSystemCeiling;
import dev.toolfleet.worker.tools.httpfetch.HttpFetchCeiling;

/// The section `worker.tools`: the most that bundles may open of each built-in Tool that can be configured.
///
/// @param byName by the name in the entry, `builtin:NAME`
public record ToolCeilings(Map<String, Ceiling> byName) {
    /// Copies the map.
    public ToolCeilings {
        byName = Map.copyOf(byName);
    }

    /// Returns the ceilings of a worker whose operator sets none.
    public static ToolCeilings unset() {
        return of(Settings.of("worker.tools", Map.of()));
    }

    /// Reads the section.
    ///
    /// @throws dev.toolfleet.config.ConfigException if a value cannot be used
    public static ToolCeilings of(Settings tools) {
        Map<String, Ceiling> ceilings = new HashMap<>(Map.of("bash", BashCeiling.of(ceiling(tools, "bash")),
                "file-system", FileSystemCeiling.of(ceiling(tools, "file-system")), "http-fetch",
                HttpFetchCeiling.of(ceiling(tools, "http-fetch"))));
        BuiltinModules.optional()
                .forEach(tool -> ceilings.put(tool.name(), tool.ceiling(ceiling(tools, tool.name()))));
        return new ToolCeilings(ceilings);
    }

    private static Settings ceiling(Settings tools, String name) {
        return tools.section(name).section("ceiling");
    }
}
