package dev.toolfleet.catalog.app;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.toolfleet.bundle.SkillsConfig;
import dev.toolfleet.catalog.builtin.RequiredTools;
import dev.toolfleet.catalog.builtin.SkillTools;
import dev.toolfleet.catalog.builtin.ToolFilter;
import dev.toolfleet.catalog.builtin.ToolSearch;
import dev.toolfleet.loading.EntryModules;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;

/// Module loader of a catalog service: the built-in Extensions, and those of bundles. Only workers load Tools.
public final class CatalogModules {
    private static final Map<String, Supplier<ExtensionModule>> BUILT_IN = Map.of("tool-filter", ToolFilter::new,
            "required-tools", RequiredTools::new, "tool-search", ToolSearch::new,
            SkillsConfig.EXTENSION, SkillTools::new,
            // Workers alone use these: the layers of one lie around calls, the other connects to servers.
            "logging", () -> (registrar, config) -> {}, "mcp", () -> (registrar, config) -> {});

    private CatalogModules() {}

    /// Returns the names of the built-in Extensions, as in their entries.
    public static Set<String> builtIn() {
        return BUILT_IN.keySet();
    }

    /// Returns the loader of entries.
    ///
    /// @param bundles the folder of a bundle's files
    public static ModuleLoader of(Function<String, Path> bundles) {
        return new EntryModules(bundles, Map.of(), BUILT_IN);
    }
}
