package dev.toolfleet.resources;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.SkillSpec;
import tools.jackson.databind.JsonNode;

/// Skills that an agent may use: those of its bundle, and of the bundles that the bundle's Package depends on.
///
/// The higher version replaces another skill of its name. Between equal versions, the agent's bundle has precedence,
/// then the dependency that is listed first. A skill with a tool that a skill before it has is left out as a whole: a tool
/// belongs to one skill.
///
/// @param skills own ones first, then by name
/// @param problems the skills that were left out and the reasons, one sentence each; for the log
public record AgentSkills(List<Declared> skills, List<String> problems) {
    /// Copies the lists.
    public AgentSkills {
        skills = List.copyOf(skills);
        problems = List.copyOf(problems);
    }

    /// A skill and its place.
    ///
    /// @param bundle that declares it
    /// @param own true if that is the agent's bundle
    public record Declared(String bundle, boolean own, SkillSpec spec) {}

    /// Returns the skills of the agent of that name; none when no bundle declares the agent.
    public static AgentSkills of(FleetResources resources, String agent) {
        Optional<BundleResources> own = resources.agent(agent).flatMap(found -> resources.bundle(found.bundle()));
        if (own.isEmpty())
            return new AgentSkills(List.of(), List.of());
        Map<String, Declared> byName = new TreeMap<>();
        own.get().skills().values().forEach(skill -> put(byName, new Declared(own.get().name(), true, skill)));
        for (String dependency : dependencies(own.get())) {
            resources.bundle(dependency).ifPresent(bundle -> bundle.skills().values()
                    .forEach(skill -> put(byName, new Declared(bundle.name(), false, skill))));
        }
        List<Declared> sorted = new ArrayList<>();
        byName.values().stream().filter(Declared::own).forEach(sorted::add);
        byName.values().stream().filter(skill -> !skill.own()).forEach(sorted::add);
        return withoutSharedTools(sorted);
    }

    private static void put(Map<String, Declared> byName, Declared skill) {
        byName.merge(skill.spec().name(), skill,
                (earlier, later) -> later.spec().version().compareTo(earlier.spec().version()) > 0 ? later : earlier);
    }

    private static AgentSkills withoutSharedTools(List<Declared> skills) {
        Map<String, String> owners = new HashMap<>();
        List<Declared> kept = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Declared skill : skills) {
            Optional<String> taken = skill.spec().tools().stream().map(SkillSpec.Tool::name)
                    .filter(owners::containsKey).findFirst();
            if (taken.isPresent()) {
                problems.add("the skill " + skill.spec().name() + " of " + skill.bundle() + " has the tool "
                        + taken.get() + ", which belongs to the skill " + owners.get(taken.get())
                        + "; it is left out as a whole");
                continue;
            }
            skill.spec().tools().forEach(tool -> owners.put(tool.name(), skill.spec().name()));
            kept.add(skill);
        }
        return new AgentSkills(kept, problems);
    }

    private static Set<String> dependencies(BundleResources bundle) {
        Set<String> names = new LinkedHashSet<>();
        bundle.ofKind(Kinds.PACKAGE).forEach(record -> record.resource().path("spec").path("dependencies").values()
                .stream().map(dependency -> dependency.path("name")).filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .forEach(name -> names.add(BuiltIns.PACKAGES.contains(name) ? FleetResources.BUILT_IN : name)));
        names.remove(bundle.name());
        return names;
    }
}
