package dev.toolfleet.bench.steps;

import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.resources.RevisionPlan;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// An agent with thirty tools, whose schemas have 40 KB together.
final class TypicalAgent {
    static final String NAME = "research-assistant";
    static final int TOOLS = 30;
    static final int SCHEMA_BYTES = 40 * 1024;

    private TypicalAgent() {}

    /// A bundle with it.
    static List<RevisionPlan.Declared> bundle() {
        ObjectNode tool = resource("Tool", "workbench");
        ArrayNode exports = tool.putObject("spec").put("entry", "java:" + TypicalAgent.class.getName())
                .putArray("exports");
        for (int i = 0; i < TOOLS; i++) {
            exports.addObject().put("name", "operation-" + i).put("description", "Does operation " + i + ".")
                    .set("parameters", schema());
        }
        ObjectNode agent = resource("Agent", NAME);
        agent.putObject("spec").putArray("tools").addObject().put("ref", "Tool/workbench");
        return List.of(new RevisionPlan.Declared(tool, Map.of()), new RevisionPlan.Declared(agent, Map.of()));
    }

    private static ObjectNode schema() {
        ObjectNode schema = Json.MAPPER.createObjectNode().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        for (int i = 0; schema.toString().length() < SCHEMA_BYTES / TOOLS; i++) {
            properties.putObject("field" + i).put("type", "string").put("description",
                    "What field " + i + " of the operation says to the service behind it.");
        }
        return schema;
    }

    private static ObjectNode resource(String kind, String name) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("apiVersion", "goondan.ai/v1").put("kind", kind);
        resource.putObject("metadata").put("name", name);
        return resource;
    }
}
