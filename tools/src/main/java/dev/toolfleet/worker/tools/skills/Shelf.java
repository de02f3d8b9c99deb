package dev.toolfleet.worker.tools.skills;

import java.util.List;
import java.util.Objects;

import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.resources.AgentSkills;
import dev.toolfleet.wire.ToolCatalogItem;

/// The skills of an agent, and the tools that they may be ready with.
///
/// @param skills as [AgentSkills] has them
/// @param tools every tool that steps of the agent may show to the caller, those of on-demand groups included
public record Shelf(List<AgentSkills.Declared> skills, List<ToolCatalogItem> tools) {
    /// Copies the lists.
    public Shelf {
        skills = List.copyOf(skills);
        tools = List.copyOf(tools);
    }

    /// Finds shelves. Thread-safe.
    @FunctionalInterface
    public interface Source {
        /// Returns the present shelf.
        ///
        /// @param caller names the agent, and the user and the channel of the call
        Shelf of(String agent, PolicyCaller caller);
    }

    boolean hasTool(String name) {
        return tools.stream().anyMatch(tool -> tool.name().equals(name));
    }

    boolean hasGroup(String group) {
        return tools.stream().anyMatch(tool -> Objects.equals(tool.group(), group));
    }
}
