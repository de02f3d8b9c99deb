package dev.toolfleet.worker.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.toolfleet.bundle.ValueSchema;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Validator of arguments against the JSON Schema that the model saw. With an invalid schema every call is refused with
/// that reason. Thread-safe.
public final class ArgumentSchema {
    private final String tool;
    private final ObjectNode parameters;
    private final ValueSchema schema;

    ArgumentSchema(String tool, ObjectNode parameters) {
        this.tool = tool;
        this.parameters = parameters;
        this.schema = new ValueSchema(parameters);
    }

    /// Returns the error for `args`; null if they are valid.
    public @Nullable ToolError check(JsonNode args) {
        List<String> issues = args.isObject()
                ? schema.issues("args", args)
                : List.of("args: an object expected, got " + args.getNodeType().name().toLowerCase(Locale.ROOT));
        return issues.isEmpty() ? null : error(issues);
    }

    private ToolError error(List<String> issues) {
        return ToolError.of(ErrorCode.E_TOOL_INVALID_ARGS,
                "Invalid arguments for tool '" + tool + "': " + String.join("; ", issues))
                .suggesting(
                        ErrorCode.E_TOOL_INVALID_ARGS.suggestion() + " required=" + names(parameters.path("required"))
                                + ", allowed=" + names(parameters.path("properties")));
    }

    private static String names(JsonNode listOrMap) {
        List<String> names = new ArrayList<>();
        if (listOrMap.isArray()) {
            listOrMap.forEach(name -> names.add(name.asString("")));
        } else {
            listOrMap.properties().forEach(entry -> names.add(entry.getKey()));
        }
        return names.isEmpty() ? "(none)" : names.toString();
    }
}
