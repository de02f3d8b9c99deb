package dev.toolfleet.worker.guard;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.toolfleet.json.Json;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Bundles on a topic, and declarations for them.
final class GuardBundles {
    private final ResourceTable topic = new ResourceTable();

    /// Makes `bundle` consist of the resources, as its next revision.
    List<RevisionPlan.Entry> plan(String bundle, ObjectNode... resources) {
        RevisionPlan plan = RevisionPlan.of(bundle,
                Stream.of(resources).map(resource -> new RevisionPlan.Declared(resource, Map.of())).toList(), topic);
        plan.entries().forEach(entry -> topic.apply(entry.key(), entry.value()));
        return plan.entries();
    }

    /// A Tool of this class with one export.
    static ObjectNode tool(String name, String export) {
        ObjectNode tool = resource("Tool", name);
        tool.putObject("spec").put("entry", "java:" + GuardBundles.class.getName()).putArray("exports").addObject()
                .put("name", export);
        return tool;
    }

    /// An Agent that lists tools.
    static ObjectNode agent(String name, String... refs) {
        ObjectNode agent = resource("Agent", name);
        ArrayNode tools = agent.putObject("spec").putArray("tools");
        for (String ref : refs)
            tools.addObject().put("ref", ref);
        return agent;
    }

    /// An empty resource.
    static ObjectNode resource(String kind, String name) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("apiVersion", "goondan.ai/v1").put("kind", kind);
        resource.putObject("metadata").put("name", name);
        return resource;
    }
}
