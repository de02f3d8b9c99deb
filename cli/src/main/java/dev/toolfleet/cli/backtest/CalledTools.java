package dev.toolfleet.cli.backtest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.cli.policy.ToolFinder;
import dev.toolfleet.cli.policy.ToolFinder.NamedExport;
import dev.toolfleet.policy.PolicyTool;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ToolCatalogItem;
import org.jspecify.annotations.Nullable;

/// Tools of one state of a fleet by calling agent and called name. One thread.
final class CalledTools {
    private final FleetResources resources;
    /// Declared agents only: callers may invent others.
    private final Map<String, Map<String, LabelledTool>> byAgent = new HashMap<>();

    /// @param adds the labels that its results add
    private record LabelledTool(PolicyTool tool, Set<String> adds) {}

    /// @param resources as they are live
    CalledTools(FleetResources resources) {
        this.resources = resources;
    }

    /// Returns the agent's tool of that name, else the only one in the fleet; null for none or several.
    @Nullable
    PolicyTool find(@Nullable String agent, String name) {
        LabelledTool listed = listed(agent, name);
        if (listed != null)
            return listed.tool();
        List<NamedExport> all = ToolFinder.named(resources, name);
        return all.size() == 1 ? all.getFirst().tool() : null;
    }

    /// Returns the labels that results of that tool add to an instance of the agent. If the agent has no such tool, those
    /// of every tool of that name in the fleet.
    Set<String> adds(@Nullable String agent, String name) {
        LabelledTool listed = listed(agent, name);
        if (listed != null)
            return listed.adds();
        List<NamedExport> all = ToolFinder.named(resources, name);
        if (all.isEmpty())
            return ToolExport.addedBy(null);
        Set<String> adds = new TreeSet<>();
        all.forEach(each -> adds.addAll(ToolExport.addedBy(each.export())));
        return adds;
    }

    private @Nullable LabelledTool listed(@Nullable String agent, String name) {
        return agent != null && resources.agent(agent).isPresent()
                ? byAgent.computeIfAbsent(agent, this::listed).get(name)
                : null;
    }

    private Map<String, LabelledTool> listed(String agent) {
        Map<String, LabelledTool> tools = new HashMap<>();
        AgentTools.items(resources, agent).forEach(item -> tools.put(item.name(), called(item)));
        return tools;
    }

    private LabelledTool called(ToolCatalogItem item) {
        Optional<ToolExport> export = resources.tool(item.tool()).flatMap(tool -> tool.export(item.tool().export()));
        return new LabelledTool(PolicyTool.of(resources, item), ToolExport.addedBy(export.orElse(null)));
    }
}
