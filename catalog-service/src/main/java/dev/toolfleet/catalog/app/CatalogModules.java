package dev.toolfleet.catalog.app;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;

import dev.toolfleet.catalog.builtin.RequiredTools;
import dev.toolfleet.catalog.builtin.ToolFilter;
import dev.toolfleet.catalog.builtin.ToolSearch;
import dev.toolfleet.loading.EntryModules;
import dev.toolfleet.loading.ModuleLoader;

/// What a catalog service runs: the built-in Extensions, and those of bundles. Tools are the workers'.
public final class CatalogModules {
    private CatalogModules() {}

    /// The code behind entries.
    ///
    /// @param bundles where a bundle's files lie
    public static ModuleLoader of(Function<String, Path> bundles) {
        return new EntryModules(bundles, Map.of(), Map.of("tool-filter", ToolFilter::new, "required-tools",
                RequiredTools::new, "tool-search", ToolSearch::new,
                // Its layers lie around calls.
                "logging", () -> (registrar, config) -> {}));
    }
}
