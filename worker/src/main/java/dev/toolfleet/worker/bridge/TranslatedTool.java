package dev.toolfleet.worker.bridge;

import java.util.Optional;

import dev.toolfleet.bundle.SchemaProblem;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.worker.bridge.ServerSettings.ToolSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Server's tool as a tool of the fleet. Pure.
///
/// The definition is a stranger's word: without the operator's trust its hints do not count, and each call is exclusive
/// and journaled. The defaults of the settings come before the definition, and those of the one tool before both.
///
/// @param declaration the tool's declaration
/// @param notice something of the definition that does not count, for people; empty for none
record TranslatedTool(ToolDeclaration declaration, Optional<String> notice) {
    /// The group of tools that name none.
    static final String GROUP = "mcp";
    /// The longest wait for a task, unless the operator names another.
    private static final String TASK_TIMEOUT = "24h";

    /// @param mayBeTask true if calls may become tasks of the server
    static TranslatedTool of(ToolDefinition tool, ServerSettings settings, boolean mayBeTask) {
        ObjectNode export = JsonNodeFactory.instance.objectNode().put("description", description(tool));
        export.set("parameters", withoutDialect(tool.inputSchema()));
        Optional<String> notice = Optional.empty();
        if (tool.outputSchema() instanceof ObjectNode output) {
            ObjectNode schema = withoutDialect(output);
            notice = SchemaProblem.of(schema).map(problem -> "its outputSchema does not count: " + problem);
            if (notice.isEmpty()) {
                export.set("outputSchema", schema);
                export.put("validateOutput", true);
            }
        }
        export.put("group", GROUP);
        if (mayBeTask)
            export.putObject("async").put("timeout", TASK_TIMEOUT).putObject("poll").put("interval", "1s")
                    .put("maxInterval", "30s");
        export.set("annotations", annotations(tool, settings.trustsAnnotations()));
        overlay(export, settings.defaults());
        ToolSettings own = settings.tools().get(tool.name());
        if (own != null)
            overlay(export, own.export());
        settings.auth().ifPresent(auth -> export.set("auth", auth.deepCopy()));
        return new TranslatedTool(new ToolDeclaration(ToolNames.of(settings.name(), tool.name()), export), notice);
    }

    private static String description(ToolDefinition tool) {
        return tool.description().isBlank() ? tool.title().orElse(tool.name()) : tool.description();
    }

    /// Older servers name draft 7, which describes arguments in the same words; the fleet's dialect is 2020-12.
    private static ObjectNode withoutDialect(ObjectNode schema) {
        ObjectNode copy = schema.deepCopy();
        if (copy.path("$schema").stringValue("").contains("json-schema.org/"))
            copy.remove("$schema");
        return copy;
    }

    private static ObjectNode annotations(ToolDefinition tool, boolean trusted) {
        ObjectNode annotations = JsonNodeFactory.instance.objectNode().put("openWorld", true);
        if (!trusted)
            return annotations;
        boolean readOnly = tool.hint("readOnlyHint").orElse(false);
        return annotations.put("readOnly", readOnly).put("idempotent", tool.hint("idempotentHint").orElse(false))
                .put("destructive", !readOnly && tool.hint("destructiveHint").orElse(true))
                .put("openWorld", tool.hint("openWorldHint").orElse(true));
    }

    private static void overlay(ObjectNode export, ObjectNode fields) {
        for (String key : fields.propertyNames()) {
            JsonNode value = fields.get(key);
            if (key.equals("annotations"))
                export.withObject("/annotations").setAll((ObjectNode) value);
            else
                export.set(key, value);
        }
    }
}
