package dev.toolfleet.worker.app;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import dev.toolfleet.bundle.SkillsConfig;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.loading.EntryModules;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.loading.ScriptModules;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.publishing.changeset.SwarmBundleTool;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.middleware.LoggingExtension;
import dev.toolfleet.worker.runtime.builtin.BuiltinModules;
import dev.toolfleet.worker.runtime.builtin.ToolCeilings;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.tools.selfrestart.Restarts;
import dev.toolfleet.worker.tools.toolsearch.ToolSearchModule.Searchable;
import tools.jackson.databind.node.ObjectNode;

/// Modules that a worker runs: the built-in Tools and Extensions, and those of bundles.
final class FleetModules {
    private FleetModules() {}

    /// The code behind entries.
    ///
    /// @param searchable what the Tool `tool-search` searches
    /// @param restarts receives the requests of the Tool `self-restart`
    /// @param sandbox where programs of tools run
    /// @param workspace the root of the instances' folders
    /// @param egress the hosts that tools may reach
    /// @param skills makes the Extension that lists and opens skills
    /// @param bridge makes the Extension that connects to MCP servers
    /// @param ceilings the most that bundles may open of built-in Tools
    /// @param hosts runs Tools in other languages than Java
    /// @param changesets makes the Tool that changes bundles
    /// @param tokens makes the source of tokens for a Tool
    static ModuleLoader of(WorkerConfig.BundleFolders folders, Searchable searchable, Restarts restarts,
            Sandbox sandbox, Path workspace, EgressList egress, Supplier<ExtensionModule> skills,
            Supplier<ExtensionModule> bridge, ToolCeilings ceilings, ScriptModules hosts,
            Supplier<ToolModule> changesets, BiFunction<String, ToolSpec, TokenSource> tokens) {
        Map<String, BiFunction<String, ObjectNode, ObjectNode>> bounds = new HashMap<>();
        ceilings.byName().forEach((name, ceiling) -> bounds.put(name, ceiling::within));
        Map<String, Supplier<ToolModule>> tools = new HashMap<>(
                BuiltinModules.tools(searchable, restarts, sandbox, workspace, egress));
        tools.put(SwarmBundleTool.NAME, changesets);
        // The layers of the others lie around steps, and run in the catalog service.
        return new EntryModules(folders::folder, tools,
                Map.of("logging", LoggingExtension::new, SkillsConfig.EXTENSION, skills, "mcp", bridge, "tool-search",
                        FleetModules::elsewhere, "tool-filter", FleetModules::elsewhere, "required-tools",
                        FleetModules::elsewhere),
                bounds, hosts, tokens);
    }

    /// An Extension that does nothing here.
    static ExtensionModule elsewhere() {
        return (registrar, config) -> {};
    }
}
