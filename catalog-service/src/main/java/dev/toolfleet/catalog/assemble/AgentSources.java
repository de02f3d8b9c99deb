package dev.toolfleet.catalog.assemble;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.toolfleet.bundle.AgentSpec;
import dev.toolfleet.bundle.PromptInclusion;
import dev.toolfleet.bundle.Ref;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.catalog.middleware.StepOffer;
import dev.toolfleet.middleware.StepSkill;
import dev.toolfleet.middleware.StepTool;
import dev.toolfleet.resources.AgentSkills;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.DeclaredAgent;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.GroupInclusion;
import dev.toolfleet.wire.ToolCatalogItem;

/// Start of an agent's steps under unchanged resources: its tools, and those that a model sees without asking.
///
/// @param bundle the agent's bundle; empty when no bundle declares the agent
/// @param revision of that bundle; 0 when no bundle declares the agent
/// @param revisions of the other bundles that `spec.tools` refers to, even if they do not declare the Tools
/// @param problems the tools that were left out and the reasons, one sentence each; for the log
record AgentSources(String bundle, long revision, Map<String, Long> revisions, StepOffer offer,
        List<String> problems) {
    /// Returns the sources of the agent of that name.
    static AgentSources of(FleetResources resources, String agentName) {
        AgentTools tools = AgentTools.of(resources, agentName);
        List<String> problems = new ArrayList<>(tools.problems());
        List<StepTool> known = new ArrayList<>();
        for (ToolCatalogItem item : tools.items()) {
            PromptInclusion inclusion = GroupInclusion.of(resources, tools.bundle(), item);
            if (inclusion != PromptInclusion.NEVER)
                known.add(new StepTool(item, isReadOnly(resources, item), inclusion == PromptInclusion.ON_DEMAND));
        }
        Optional<DeclaredAgent> agent = resources.agent(agentName);
        List<String> required = agent.map(DeclaredAgent::spec).map(AgentSpec::requiredTools).orElse(List.of());
        AgentSkills skills = AgentSkills.of(resources, agentName);
        problems.addAll(skills.problems());
        return new AgentSources(tools.bundle(), tools.revision(),
                agent.map(declared -> revisions(resources, declared)).orElse(Map.of()),
                new StepOffer(known, required, skills.skills().stream().map(AgentSources::skill).toList()), problems);
    }

    private static StepSkill skill(AgentSkills.Declared declared) {
        return new StepSkill(declared.spec().name(), declared.spec().tools().stream()
                .map(tool -> new StepSkill.Tool(tool.name(), tool.minimumTier().orElse(null))).toList());
    }

    /// Returns the revisions of the listed bundles. A bundle that has dropped the Tool is included: calls of earlier
    /// steps, which show it, wait for the revision that dropped it.
    private static Map<String, Long> revisions(FleetResources resources, DeclaredAgent agent) {
        Map<String, Long> revisions = new TreeMap<>();
        for (Ref ref : agent.spec().tools()) {
            String bundle = resources.bundleOf(agent.bundle(), ref);
            if (!bundle.equals(agent.bundle()))
                resources.bundle(bundle).ifPresent(other -> revisions.put(bundle, other.revision()));
        }
        return revisions;
    }

    private static boolean isReadOnly(FleetResources resources, ToolCatalogItem item) {
        Optional<ToolExport> export = resources.tool(item.tool()).flatMap(tool -> tool.export(item.tool().export()));
        return export.map(declared -> declared.annotations().readOnly()).orElse(false);
    }
}
