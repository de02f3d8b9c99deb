package dev.toolfleet.catalog.assemble;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.AgentSpec;
import dev.toolfleet.bundle.PromptInclusion;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.catalog.middleware.StepOffer;
import dev.toolfleet.middleware.StepTool;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.DeclaredAgent;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.GroupInclusion;
import dev.toolfleet.wire.ToolCatalogItem;

/// What an agent's steps begin with while the resources stay as they are: its tools, and which of them a model is told
/// of unasked.
///
/// @param bundle the agent's bundle; empty when nobody declares the agent
/// @param revision that bundle's; 0 when nobody declares the agent
/// @param problems what was left out and why, one sentence each; for the log
record AgentSources(String bundle, long revision, StepOffer offer, List<String> problems) {
    /// The sources of the agent of that name.
    static AgentSources of(FleetResources resources, String agentName) {
        AgentTools tools = AgentTools.of(resources, agentName);
        List<String> problems = new ArrayList<>(tools.problems());
        List<StepTool> known = new ArrayList<>();
        for (ToolCatalogItem item : tools.items()) {
            PromptInclusion inclusion = GroupInclusion.of(resources, tools.bundle(), item);
            if (inclusion != PromptInclusion.NEVER)
                known.add(new StepTool(item, isReadOnly(resources, item), inclusion == PromptInclusion.ON_DEMAND));
        }
        List<String> required = resources.agent(agentName).map(DeclaredAgent::spec)
                .map(AgentSpec::requiredTools).orElse(List.of());
        return new AgentSources(tools.bundle(), tools.revision(), new StepOffer(known, required), problems);
    }

    private static boolean isReadOnly(FleetResources resources, ToolCatalogItem item) {
        Optional<ToolExport> export = resources.tool(item.tool()).flatMap(tool -> tool.export(item.tool().export()));
        return export.map(declared -> declared.annotations().readOnly()).orElse(false);
    }
}
