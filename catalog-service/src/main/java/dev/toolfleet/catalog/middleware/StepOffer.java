package dev.toolfleet.catalog.middleware;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.middleware.StepSkill;
import dev.toolfleet.middleware.StepTool;
import org.jspecify.annotations.Nullable;

/// Tools that the layers of an agent's steps work with.
public final class StepOffer {
    private final List<StepTool> known;
    private final List<StepTool> shown;
    private final List<String> required;
    private final List<StepSkill> skills;
    private final Map<String, StepTool> byName = new LinkedHashMap<>();

    /// @param known every tool that may be shown, in catalog order; names are unique
    /// @param required `Agent.spec.requiredTools`
    /// @param skills of the agent
    public StepOffer(List<StepTool> known, List<String> required, List<StepSkill> skills) {
        this.known = List.copyOf(known);
        this.shown = known.stream().filter(tool -> !tool.onDemand()).toList();
        this.required = List.copyOf(required);
        this.skills = List.copyOf(skills);
        known.forEach(tool -> byName.put(tool.name(), tool));
    }

    /// Returns every tool that may be shown.
    public List<StepTool> known() {
        return known;
    }

    /// Returns the list that the outermost layer gets.
    public List<StepTool> shown() {
        return shown;
    }

    List<String> required() {
        return required;
    }

    List<StepSkill> skills() {
        return skills;
    }

    @Nullable
    StepTool named(String name) {
        return byName.get(name);
    }
}
