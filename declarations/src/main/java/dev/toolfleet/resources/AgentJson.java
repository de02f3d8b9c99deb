package dev.toolfleet.resources;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import dev.toolfleet.bundle.ExtensionUse;
import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Declared agents as JSON (`docs/http.md`). Pure.
public final class AgentJson {
    private static final int NAMES_IN_A_SENTENCE = 10;

    private AgentJson() {}

    /// Returns the agents with these names, in the order of their names.
    public static ObjectNode list(FleetResources resources, Predicate<String> wanted) {
        ObjectNode answer = Json.MAPPER.createObjectNode();
        ArrayNode list = answer.putArray("agents");
        names(resources, wanted)
                .forEach(name -> resources.agent(name).map(AgentJson::json).ifPresent(list::add));
        return answer;
    }

    /// Returns one agent with its exports by the names that a model calls, before any middleware, and with its
    /// problems; empty when no bundle declares it.
    public static Optional<ObjectNode> one(FleetResources resources, String name) {
        return resources.agent(name).map(agent -> {
            ObjectNode answer = json(agent);
            AgentTools tools = AgentTools.of(resources, name);
            ArrayNode exports = answer.putArray("exports");
            tools.items().forEach(item -> {
                ObjectNode export = exports.addObject().put("name", item.name());
                if (item.group() != null)
                    export.put("group", item.group());
                export.set("tool", Json.MAPPER.valueToTree(item.tool()));
            });
            return answer.set("problems", Json.MAPPER.valueToTree(tools.problems()));
        });
    }

    /// Returns a sentence with some of the declared names, for a person who named another one.
    public static String known(FleetResources resources, Predicate<String> wanted) {
        Set<String> names = names(resources, wanted);
        List<String> some = names.stream().limit(NAMES_IN_A_SENTENCE).toList();
        return names.isEmpty()
                ? "No bundle declares any yet."
                : "Declared: " + String.join(", ", some) + (some.size() < names.size() ? ", …" : "") + ".";
    }

    private static Set<String> names(FleetResources resources, Predicate<String> wanted) {
        Set<String> names = new TreeSet<>();
        resources.bundles().values().forEach(bundle -> names.addAll(bundle.agents().keySet()));
        names.removeIf(wanted.negate());
        return names;
    }

    private static ObjectNode json(DeclaredAgent agent) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("name", agent.spec().name()).put("bundle", agent.bundle()).put("revision", agent.revision());
        json.set("alsoIn", Json.MAPPER.valueToTree(agent.alsoIn()));
        json.set("tools", Json.MAPPER.valueToTree(agent.spec().tools().stream().map(Object::toString).toList()));
        json.set("extensions", Json.MAPPER
                .valueToTree(agent.spec().extensions().stream().map(ExtensionUse::ref).map(Object::toString).toList()));
        json.set("requiredTools", Json.MAPPER.valueToTree(agent.spec().requiredTools()));
        return json;
    }
}
