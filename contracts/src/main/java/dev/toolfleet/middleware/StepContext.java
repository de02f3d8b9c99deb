package dev.toolfleet.middleware;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import dev.toolfleet.tool.ToolContext.Caller;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A step whose catalog is being made, as one layer sees it. Owned by the thread that runs the layer.
public interface StepContext {
    /// The agent that takes the step.
    String agentName();

    /// The conversation.
    String instanceKey();

    /// The turn.
    String turnId();

    /// The step.
    String stepId();

    /// The step's number in its turn.
    @Nullable
    Integer stepIndex();

    /// For whom the agent acts.
    Caller caller();

    /// What the agent runtime said about the step; a copy, empty when it said nothing.
    ObjectNode hints();

    /// `Agent.spec.requiredTools`.
    List<String> requiredTools();

    /// What this extension remembers of the results of one of its tools; see [ExtensionRegistrar#remember].
    Optional<JsonNode> remembered(String toolName);

    /// Every tool that may be shown to the agent, in catalog order: what it lists and what was registered for it, those
    /// of on-demand groups included. Nothing else can be shown.
    List<StepTool> known();

    /// The list as the layers so far left it. Immutable.
    List<StepTool> tools();

    /// Replaces the list. A tool that is not [#known()], or stands for the second time, is dropped and reported; of a
    /// known one, description and schema may differ.
    void tools(List<StepTool> tools);

    /// The known tool of that name.
    default Optional<StepTool> known(String name) {
        return known().stream().filter(tool -> tool.name().equals(name)).findFirst();
    }

    /// Keeps of the list what passes the test.
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
