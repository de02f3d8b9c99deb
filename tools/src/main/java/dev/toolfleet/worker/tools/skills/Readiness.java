package dev.toolfleet.worker.tools.skills;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import dev.toolfleet.bundle.SkillSpec;
import dev.toolfleet.bundle.SkillsConfig;
import dev.toolfleet.resources.AgentSkills;

/// Decides whether a skill is ready: whether its conditions hold in this worker and for this agent.
///
/// @param env true for an environment variable that is set
record Readiness(Shelf shelf, SkillsConfig config, Predicate<String> env) {
    /// Returns the first reason why the skill is not ready, as a clause; empty when it is ready.
    Optional<String> problem(SkillSpec skill) {
        return problem(skill, new LinkedHashSet<>());
    }

    private Optional<String> problem(SkillSpec skill, Set<String> asked) {
        if (!asked.add(skill.name()))
            return Optional.of("the skills " + String.join(", ", asked) + " require each other");
        Optional<String> tier = config.tierProblem(skill.minimumTier(), config.modelTier());
        if (tier.isPresent())
            return tier;
        SkillSpec.Needs needs = skill.requires();
        for (String variable : needs.env()) {
            if (!env.test(variable))
                return Optional.of("the environment variable " + variable + " is not set on the worker");
        }
        for (String tool : needs.tools()) {
            if (!shelf.hasTool(tool))
                return Optional.of("it requires the tool " + tool + ", which the agent does not have");
        }
        for (String group : needs.groups()) {
            if (!shelf.hasGroup(group))
                return Optional.of("it requires a tool of the group " + group + ", and the agent has none");
        }
        for (String required : needs.skills()) {
            Optional<String> problem = required(required, asked);
            if (problem.isPresent())
                return Optional.of("it requires the skill " + required + ": " + problem.get());
        }
        return skill.tools().stream().filter(tool -> !shelf.hasTool(tool.name())).findFirst()
                .map(tool -> "the agent does not have its tool " + tool.name());
    }

    private Optional<String> required(String name, Set<String> asked) {
        Optional<AgentSkills.Declared> found = shelf.skills().stream()
                .filter(skill -> skill.spec().name().equals(name)).findFirst();
        if (found.isEmpty() || !config.admits(name))
            return Optional.of("the agent does not have it");
        // Two ways to one skill are no cycle.
        return problem(found.get().spec(), new LinkedHashSet<>(asked));
    }
}
