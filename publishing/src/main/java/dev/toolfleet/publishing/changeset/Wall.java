package dev.toolfleet.publishing.changeset;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import dev.toolfleet.bundle.AgentSpec;
import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.publishing.git.GitFile;
import dev.toolfleet.resources.ChangesetRules;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.ObjectNode;

/// Limits of a changeset, which no approval lifts: it must not change a file that the rules do not allow, make a link, or
/// change what decides about rights in a file that the rules do not name by its path.
///
/// These decide about rights: every kind but Tool, Agent, Skill and PromptSection; every field of an Agent but its
/// prompt; of a Tool its entry, authorization, network and names, and of an export all but its texts and schemas, its cost included; code
/// that runs inside of workers; sections and skills that agents of other bundles see. Pure.
final class Wall {
    private static final Set<String> FREE_OF_AGENT = Set.of("prompt", "prompts");
    private static final Set<String> FREE_OF_TOOL = Set.of("exports", "config", "errorMessageLimit");
    private static final Set<String> FREE_OF_NEW_TOOL = Set.of("exports", "config", "errorMessageLimit", "entry",
            "runtime", "network");
    private static final Set<String> FREE_OF_EXPORT = Set.of("description", "parameters", "outputSchema",
            "validateOutput");
    private static final Pattern CODE = Pattern.compile("(?is).*\\.(jar|class)|(.*/)?\\.git[^/]*");
    /// Fields of an export that restrict its calls. An export with a cost is one of them. Otherwise: a changeset replaces it
    /// by one of another name that costs less, and evades a budget.
    private static final Set<String> RESTRICTING = Set.of("requiresApproval", "isTransactional",
            "accessesSensitiveData", "group", "cost");

    private final ChangesetRules rules;
    private final Set<String> listed;
    private final boolean shared;
    private final NavigableMap<String, String> violations = new TreeMap<>();

    private Wall(ChangesetRules rules, Set<String> listed, boolean shared) {
        this.rules = rules;
        this.listed = listed;
        this.shared = shared;
    }

    /// Returns the reason for each file that must not change so; empty if all may.
    ///
    /// @param changes between the two bundles' files
    /// @param shared whether another bundle depends on this one
    static NavigableMap<String, String> violations(ChangesetRules rules, Changes changes, Bundle before, Bundle after,
            boolean shared) {
        Set<String> listed = new HashSet<>();
        before.ofKind(Kinds.AGENT).forEach(agent -> AgentSpec.of(agent.document()).tools()
                .forEach(tool -> listed.add(tool.name())));
        Wall wall = new Wall(rules, listed, shared);
        changes.paths().forEach(path -> wall.file(path, changes));
        wall.resources(before, after);
        return wall.violations;
    }

    private void file(String path, Changes changes) {
        GitFile file = changes.added().getOrDefault(path, changes.changed().get(path));
        if (!rules.allows(path))
            violations.put(path, "is not among the allowed files");
        else if (file != null && file.type() == GitFile.Type.LINK)
            violations.put(path, "is a link");
        else if (CODE.matcher(path).matches() && !rules.names(path))
            violations.put(path, "is code that runs inside of workers, or a setting of git");
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
        if (one == null || other == null)
            return one == null && other == null;
        return CanonicalJson.of(one).equals(CanonicalJson.of(other));
    }

    private Optional<String> reason(@Nullable Resource was, @Nullable Resource is) {
        Resource either = Objects.requireNonNull(is == null ? was : is);
        if (was != null && is != null && !same(outside(was), outside(is)))
            return Optional.of("its apiVersion and its metadata decide about its name");
        return switch (either.kind()) {
            case Kinds.SKILL -> shared
                    ? Optional.of("is a skill of other bundles' agents, too")
                    : Optional.empty();
            case Kinds.PROMPT_SECTION -> isOfFleet(was) || isOfFleet(is)
                    ? Optional.of("is part of the prompts of other bundles' agents")
                    : Optional.empty();
            case Kinds.AGENT -> agent(was, is);
            case Kinds.TOOL -> tool(was, is);
            default -> Optional.of("is a " + either.kind() + ", which decides about rights");
        };
    }

    /// All of a resource but its `spec`, its labels and its annotations.
    private static JsonNode outside(Resource resource) {
        ObjectNode rest = resource.document().deepCopy();
        rest.remove("spec");
        if (rest.path("metadata") instanceof ObjectNode metadata)
            metadata.remove(List.of("labels", "annotations"));
        return rest;
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

    private Optional<String> tool(@Nullable Resource was, @Nullable Resource is) {
        if (is == null)
            return was != null && exports(was.spec()).values().stream().anyMatch(Wall::restricts)
                    ? Optional.of("an export of it needs approval, has a group or a cost; such a Tool is not removed")
                    : Optional.empty();
        if (!isScript(is.spec()) || (was != null && !isScript(was.spec())))
            return Optional.of("it is, or was, code that runs inside of workers");
        return was == null ? made(is) : changed(was.spec(), is.spec());
    }

    private static boolean isScript(ObjectNode spec) {
        return EntryKind.parse(spec.path("entry").asString("")) instanceof EntryKind.Script;
    }

    private Optional<String> made(Resource tool) {
        ObjectNode spec = tool.spec();
        if (listed.contains(tool.name()))
            return Optional.of("an Agent lists a Tool of this name already, which it would replace");
        if (tool.apiVersion().equals(Kinds.V08))
            return Optional.of("a new Tool is not of the apiVersion " + Kinds.V08
                    + ", whose exports are called without their Tool");
        if (spec.path("network").asBoolean(true))
            return Optional.of("a new Tool needs network: false");
        Optional<String> field = differing(spec.objectNode(), spec, FREE_OF_NEW_TOOL::contains);
        if (field.isPresent())
            return Optional.of("spec." + field.get() + " decides about rights");
        if (readsElsewhere(spec.path("config")))
            return Optional.of("spec.config reads a variable or a secret of workers");
        return exports(spec).entrySet().stream().map(export -> evades(export.getKey(), export.getValue()))
                .flatMap(Optional::stream).findFirst();
    }

    private static Optional<String> changed(ObjectNode was, ObjectNode is) {
        Optional<String> field = differing(was, is,
                name -> FREE_OF_TOOL.contains(name) || name.equals("entry"));
        if (field.isPresent())
            return Optional.of("spec." + field.get() + " decides about rights");
        if (!same(was.get("config"), is.get("config")) && readsElsewhere(is.path("config")))
            return Optional.of("spec.config reads a variable or a secret of workers");
        Map<String, ObjectNode> old = exports(was);
        Map<String, ObjectNode> now = exports(is);
        for (Map.Entry<String, ObjectNode> export : old.entrySet()) {
            ObjectNode then = now.get(export.getKey());
            if (then == null && restricts(export.getValue()))
                return Optional.of("its export " + export.getKey() + " needs approval, has a group or a cost; such an"
                        + " export is not removed");
            Optional<String> changed = then == null
                    ? Optional.empty()
                    : differing(export.getValue(), then, FREE_OF_EXPORT::contains);
            if (changed.isPresent())
                return Optional.of("its export " + export.getKey() + " changes " + changed.get()
                        + ", which decides about rights");
        }
        boolean restricted = old.values().stream().anyMatch(Wall::restricts);
        for (Map.Entry<String, ObjectNode> export : now.entrySet()) {
            if (old.containsKey(export.getKey()))
                continue;
            if (was.has("auth"))
                return Optional.of("its new export " + export.getKey() + " acts for people (auth)");
            Optional<String> evades = evades(export.getKey(), export.getValue());
            if (evades.isPresent())
                return evades;
            if (restricted && !export.getValue().path("requiresApproval").asBoolean(false))
                return Optional.of("its new export " + export.getKey()
                        + " needs requiresApproval: true, since others of the Tool are restricted");
        }
        return Optional.empty();
    }

    /// Returns why an export is not made with these fields; empty if it may be.
    private static Optional<String> evades(String name, ObjectNode export) {
        if (export.has("auth"))
            return Optional.of("its new export " + name + " acts for people (auth)");
        return export.has("cost")
                ? Optional.of("its new export " + name + " declares a cost, which decides what it spends of budgets;"
                        + " leave cost out, so that each call costs 1")
                : Optional.empty();
    }

    private static boolean restricts(ObjectNode export) {
        return RESTRICTING.stream()
                .anyMatch(field -> export.has(field) && !export.path(field).equals(BooleanNode.FALSE))
                || export.path("annotations").path("destructive").asBoolean(false);
    }

    /// True if some value comes from the environment or from a secret.
    private static boolean readsElsewhere(JsonNode config) {
        return (config.isObject() && config.has("valueFrom"))
                || config.values().stream().anyMatch(Wall::readsElsewhere);
    }

    private static Map<String, ObjectNode> exports(ObjectNode spec) {
        Map<String, ObjectNode> exports = new TreeMap<>();
        for (JsonNode export : spec.path("exports").values()) {
            if (export instanceof ObjectNode object)
                exports.putIfAbsent(export.path("name").asString(""), object);
        }
        return exports;
    }

    /// Returns a field that differs and is not free; empty for none.
    private static Optional<String> differing(ObjectNode was, ObjectNode is, Predicate<String> free) {
        Set<String> names = new TreeSet<>(was.propertyNames());
        names.addAll(is.propertyNames());
        return names.stream().filter(name -> !free.test(name) && !same(was.get(name), is.get(name))).findFirst();
    }
}
