package dev.toolfleet.resources;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// Resources for tests, and a topic to write them to.
final class Declarations {
    private Declarations() {}

    static ObjectNode tool(String name, String... exports) {
        ObjectNode tool = resource("Tool", name);
        ObjectNode spec = tool.putObject("spec").put("entry", "java:com.acme.Some");
        ArrayNode list = spec.putArray("exports");
        for (String export : exports)
            list.addObject().put("name", export).put("description", "does " + export);
        return tool;
    }

    /// Lists Tools, each as `Kind/name` or as the JSON of the object form.
    static ObjectNode agent(String name, String... refs) {
        ObjectNode agent = resource("Agent", name);
        ArrayNode tools = agent.putObject("spec").putArray("tools");
        for (String ref : refs)
            tools.addObject().set("ref", ref.startsWith("{") ? Json.MAPPER.readTree(ref) : StringNode.valueOf(ref));
        return agent;
    }

    static ObjectNode resource(String kind, String name) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("apiVersion", "goondan.ai/v1").put("kind", kind);
        resource.putObject("metadata").put("name", name);
        return resource;
    }

    static RevisionPlan plan(ResourceTable table, String bundle, ObjectNode... resources) {
        List<RevisionPlan.Declared> declared = Stream.of(resources)
                .map(resource -> new RevisionPlan.Declared(resource, Map.of())).toList();
        return RevisionPlan.of(bundle, declared, table);
    }

    static void apply(ResourceTable table, RevisionPlan plan) {
        plan.entries().forEach(entry -> table.apply(entry.key(), entry.value()));
    }
}
