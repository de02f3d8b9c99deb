package dev.toolfleet.cli.backtest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.policy.ToolFinder;
import dev.toolfleet.policy.PolicyTool;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.FleetResources;
import org.jspecify.annotations.Nullable;

/// Tools of one state of a fleet by calling agent and called name. One thread.
final class CalledTools {
    private final FleetResources resources;
    /// Declared agents only: callers may invent others.
    private final Map<String, Map<String, PolicyTool>> byAgent = new HashMap<>();

    /// @param resources as they are live
    CalledTools(FleetResources resources) {
        this.resources = resources;
    }

    /// Returns the agent's tool of that name, else the only one in the fleet; null for none or several.
    @Nullable
    PolicyTool find(@Nullable String agent, String name) {
        if (agent != null && resources.agent(agent).isPresent()) {
            PolicyTool listed = byAgent.computeIfAbsent(agent, this::listed).get(name);
            if (listed != null)
                return listed;
        }
        List<PolicyTool> all = ToolFinder.named(resources, name);
        return all.size() == 1 ? all.getFirst() : null;
    }

    private Map<String, PolicyTool> listed(String agent) {
        Map<String, PolicyTool> tools = new HashMap<>();
        AgentTools.items(resources, agent)
                .forEach(item -> tools.put(item.name(), PolicyTool.of(resources, item)));
        return tools;
    }
}
