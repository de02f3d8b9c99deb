package dev.toolfleet.catalog;

import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// An agent with thirty tools whose schemas have 40 KB together, with realistic names. It lists `Tool/bash` of the
/// built-in bundle, too.
public final class TypicalAgent {
    /// The agent's name.
    public static final String NAME = "research-assistant";
    /// The number of its tools.
    public static final int TOOLS = 30;
    private static final int SCHEMA_BYTES = 40 * 1024 / TOOLS;

    private TypicalAgent() {}

    /// A bundle with it.
    ///
    /// @param edition differs between bundles that are to have other contents
    public static ObjectNode[] resources(String edition) {
        String[] names = new String[TOOLS];
        for (int i = 0; i < TOOLS; i++)
            names[i] = "operation-" + i;
        ObjectNode tool = Bundles.tool("workbench", names);
        for (int i = 0; i < TOOLS; i++) {
            ((ObjectNode) tool.path("spec").path("exports").get(i)).put("description",
                    "Operation " + i + " of edition " + edition).set("parameters", schema());
        }
        return new ObjectNode[]{tool, Bundles.agent(NAME, "Tool/workbench", "Tool/bash")};
    }

    private static ObjectNode schema() {
        ObjectNode schema = Json.MAPPER.createObjectNode().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        for (int i = 0; schema.toString().length() < SCHEMA_BYTES; i++) {
            properties.putObject("field" + i).put("type", "string").put("description",
                    "What field " + i + " of the operation says to the service behind it.");
        }
        return schema;
    }
}
