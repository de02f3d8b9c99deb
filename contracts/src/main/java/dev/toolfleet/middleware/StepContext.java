package dev.toolfleet.middleware;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import dev.toolfleet.tool.ToolContext.Caller;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// View of a step for one layer while its catalog is made. Owned by the thread that runs the layer.
public interface StepContext {
    /// Returns the agent that takes the step.
    String agentName();

    /// Returns the conversation.
    String instanceKey();

    /// Returns the turn.
    String turnId();

    /// Returns the step.
    String stepId();

    /// Returns the step's number in its turn.
    @Nullable
    Integer stepIndex();

    /// Returns the person for whom the agent acts.
    Caller caller();

    /// Returns a copy of the agent runtime's hints for the step; empty for none.
    ObjectNode hints();

    /// Returns `Agent.spec.requiredTools`.
    List<String> requiredTools();

    /// Returns this extension's memory of one of its tools' results; see [ExtensionRegistrar#remember].
    Optional<JsonNode> remembered(String toolName);

    /// Returns the skills of the agent's bundle and of the bundles that it depends on, whether opened or not.
    default List<StepSkill> skills() {
        return List.of();
    }

    /// Returns every tool that may be shown to the agent, in catalog order: its listed and registered tools, those of
    /// on-demand groups included. No other tool can be shown.
    List<StepTool> known();

    /// Returns the list as the earlier layers left it. Immutable.
    List<StepTool> tools();

    /// Replaces the list. A tool that is not [#known()], or occurs twice, is dropped and reported; of a known one,
    /// description and schema may differ.
    void tools(List<StepTool> tools);

    /// Returns the known tool of that name.
    default Optional<StepTool> known(String name) {
        return known().stream().filter(tool -> tool.name().equals(name)).findFirst();
    }

    /// Keeps only the tools of the list that pass the test.
    default void keep(Predicate<StepTool> test) {
        List<StepTool> before = tools();
        List<StepTool> kept = before.stream().filter(test).toList();
        if (kept.size() < before.size())
            tools(kept);
    }

    /// Appends a tool unless it is in the list.
    default void add(StepTool tool) {
        if (tools().stream().anyMatch(shown -> shown.name().equals(tool.name())))
            return;
        List<StepTool> longer = new ArrayList<>(tools());
        longer.add(tool);
        tools(longer);
    }
}
