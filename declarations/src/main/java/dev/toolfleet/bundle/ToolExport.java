package dev.toolfleet.bundle;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// One function of a Tool.
///
/// @param description empty when there is none
/// @param parameters the JSON Schema of its arguments, exactly as declared; must not be changed
public record ToolExport(String name, String description, ObjectNode parameters, ToolAnnotations annotations,
        ExportPolicy policy, ExportExecution execution) {
    static ToolExport of(ResourceJson json) {
        ResourceJson parameters = json.get("parameters");
        return new ToolExport(json.get("name").text(), json.get("description").text(""),
                parameters.present() ? parameters.object() : anyArguments(),
                ToolAnnotations.of(json.get("annotations")),
                ExportPolicy.of(json), ExportExecution.of(json));
    }

    private static ObjectNode anyArguments() {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schema.put("type", "object").putObject("properties");
        return schema;
    }
}
