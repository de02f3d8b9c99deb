package dev.toolfleet.publishing.changeset;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.publishing.git.GitFile;
import dev.toolfleet.resources.ChangesetRules;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Limits of a changeset, which no approval lifts: it must not change a file that the rules do not allow, make a link, or
/// change what decides about rights in a file that the rules do not name by its path.
///
/// These decide about rights: every kind but Tool, Agent, Skill and PromptSection; every field of an Agent but its
/// prompt; the entry, the authorization and the walls of a Tool, and all of an export but its texts and schemas; code
/// that runs inside of workers; sections and skills of other bundles' agents. Pure.
final class Wall {
    private static final Set<String> FREE_OF_AGENT = Set.of("prompt", "prompts");
    private static final Set<String> FREE_OF_TOOL = Set.of("exports", "config", "errorMessageLimit");
    private static final Set<String> SCRIPT = Set.of("entry", "runtime");
    private static final Set<String> FREE_OF_EXPORT = Set.of("description", "parameters", "outputSchema",
            "validateOutput");

    private final ChangesetRules rules;
    private final SortedMap<String, String> violations = new TreeMap<>();

    private Wall(ChangesetRules rules) {
        this.rules = rules;
    }

    /// Returns the reason for each file that must not change so; empty if all may.
    ///
    /// @param changes between the two bundles' files
    static SortedMap<String, String> violations(ChangesetRules rules, Changes changes, Bundle before, Bundle after) {
        Wall wall = new Wall(rules);
        changes.paths().forEach(path -> wall.file(path, changes));
        wall.resources(before, after);
        return wall.violations;
    }

    private void file(String path, Changes changes) {
        GitFile file = changes.added().getOrDefault(path, changes.changed().get(path));
        if (!rules.allows(path))
            violations.put(path, "is not among the allowed files");
        else if (file != null && file.type() == GitFile.Type.LINK)
            violations.put(path, "is a link, which no changeset can make");
        else if ((path.endsWith(".jar") || path.endsWith(".class")) && !rules.names(path))
            violations.put(path, "is code that runs inside of workers");
    }

    private void resources(Bundle before, Bundle after) {
        Map<String, Resource> old = byId(before);
        Map<String, Resource> now = byId(after);
        Set<String> ids = new TreeSet<>(old.keySet());
        ids.addAll(now.keySet());
        for (String id : ids) {
            Resource was = old.get(id);
            Resource is = now.get(id);
            if (!same(document(was), document(is)))
                reason(was, is).ifPresent(reason -> {
                    refuse(was, id + ": " + reason);
                    refuse(is, id + ": " + reason);
                });
        }
    }

    private void refuse(@Nullable Resource resource, String reason) {
        if (resource != null && !rules.names(resource.file()))
            violations.putIfAbsent(resource.file(), reason);
    }

    private static Map<String, Resource> byId(Bundle bundle) {
        Map<String, Resource> resources = new HashMap<>();
        bundle.resources().forEach(resource -> resources.putIfAbsent(resource.id(), resource));
        return resources;
    }

    private static @Nullable JsonNode document(@Nullable Resource resource) {
        return resource == null ? null : resource.document();
    }

    private static boolean same(@Nullable JsonNode one, @Nullable JsonNode other) {
        return one == null || other == null
                ? one == other
                : CanonicalJson.of(one).equals(CanonicalJson.of(other));
    }

    private static Optional<String> reason(@Nullable Resource was, @Nullable Resource is) {
        Resource either = Objects.requireNonNull(is == null ? was : is);
        return switch (either.kind()) {
            case Kinds.SKILL -> Optional.empty();
            case Kinds.PROMPT_SECTION -> isOfFleet(was) || isOfFleet(is)
                    ? Optional.of("is part of the prompts of other bundles' agents")
                    : Optional.empty();
            case Kinds.AGENT -> agent(was, is);
            case Kinds.TOOL -> tool(was, is);
            default -> Optional.of("is a " + either.kind() + ", which decides about rights");
        };
    }

    private static boolean isOfFleet(@Nullable Resource section) {
        return section != null && section.spec().path("reach").asString("").equals("fleet");
    }

    private static Optional<String> agent(@Nullable Resource was, @Nullable Resource is) {
        if (was == null || is == null)
            return Optional.of("Agents are neither made nor removed");
        return differing(was.spec(), is.spec(), FREE_OF_AGENT::contains)
                .map(field -> "spec." + field + " decides about rights; only its prompt may change");
    }

    private static Optional<String> tool(@Nullable Resource was, @Nullable Resource is) {
        if (is == null)
            return Optional.empty();
        if (!(EntryKind.parse(is.spec().path("entry").asString("")) instanceof EntryKind.Script))
            return Optional.of("its entry " + is.spec().path("entry").asString("")
                    + " is code that runs inside of workers");
        ObjectNode old = was == null ? is.spec().objectNode() : was.spec();
        boolean made = was == null || !(EntryKind.parse(old.path("entry").asString("")) instanceof EntryKind.Script);
        Optional<String> field = differing(old, is.spec(),
                name -> FREE_OF_TOOL.contains(name) || SCRIPT.contains(name) && (made || name.equals("entry")));
        if (field.isPresent())
            return Optional.of("spec." + field.get() + " decides about rights");
        if (!same(old.get("config"), is.spec().get("config")) && readsElsewhere(is.spec().path("config")))
            return Optional.of("spec.config reads a variable or a secret of workers");
        return exports(old, is.spec());
    }

    /// True if some value comes from the environment or from a secret.
    private static boolean readsElsewhere(JsonNode config) {
        return config.isObject() && config.has("valueFrom")
                || config.values().stream().anyMatch(Wall::readsElsewhere);
    }

    private static Optional<String> exports(ObjectNode was, ObjectNode is) {
        Map<String, JsonNode> old = new HashMap<>();
        was.path("exports").values().forEach(export -> old.putIfAbsent(name(export), export));
        for (JsonNode export : is.path("exports").values()) {
            JsonNode before = old.get(name(export));
            if (!(export instanceof ObjectNode now))
                continue;
            if (before == null && now.has("auth"))
                return Optional.of("its export " + name(export) + " acts for people (auth)");
            Optional<String> field = before instanceof ObjectNode then
                    ? differing(then, now, FREE_OF_EXPORT::contains)
                    : Optional.empty();
            if (field.isPresent())
                return Optional.of("its export " + name(export) + " changes " + field.get()
                        + ", which decides about rights");
        }
        return Optional.empty();
    }

    private static String name(JsonNode export) {
        return export.path("name").asString("");
    }

    /// Returns a field that differs and is not free; empty for none.
    private static Optional<String> differing(ObjectNode was, ObjectNode is, Predicate<String> free) {
        Set<String> names = new TreeSet<>(was.propertyNames());
        names.addAll(is.propertyNames());
        return names.stream().filter(name -> !free.test(name) && !same(was.get(name), is.get(name))).findFirst();
    }
}
