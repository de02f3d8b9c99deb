package dev.toolfleet.middleware;

import java.util.List;

import org.jspecify.annotations.Nullable;

/// A skill that an agent may open during a step: instructions for a task, and the tools for it.
///
/// @param tools in the order of their declaration
public record StepSkill(String name, List<Tool> tools) {
    /// A tool of the skill.
    ///
    /// @param name the full name
    /// @param minimumTier the weakest class of models that should use it; null for any
    public record Tool(String name, @Nullable String minimumTier) {}

    /// Copies the list.
    public StepSkill {
        tools = List.copyOf(tools);
    }
}
