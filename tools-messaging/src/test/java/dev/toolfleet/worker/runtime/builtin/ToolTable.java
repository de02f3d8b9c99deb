package dev.toolfleet.worker.runtime.builtin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ToolSpec;
import tools.jackson.databind.JsonNode;

/// The exports of a bundle, as a table in Markdown.
final class ToolTable {
    private static final String HEAD = """
            | export | parameters | result | limits | annotations |
            |---|---|---|---|---|
            """;

    private static final List<String> BOUNDS = List.of("exclusiveMinimum", "minimum", "maximum");

    private ToolTable() {}

    static String of(Bundle bundle) {
        return bundle.ofKind("Tool").stream().flatMap(ToolTable::rows).collect(Collectors.joining("\n", HEAD, "\n"));
    }

    private static Stream<String> rows(Resource tool) {
        ToolSpec spec = ToolSpec.of(tool.document());
        return tool.spec().path("exports").values().stream().map(declared -> {
            ToolExport export = spec.exports().stream()
                    .filter(one -> one.name().equals(declared.path("name").asString())).findFirst().orElseThrow();
            return "| `" + spec.fullName(export) + "` | " + String.join(" | ", properties(declared.path("parameters")),
                    properties(declared.path("outputSchema")), limits(spec, declared), promises(declared))
                    + " |";
        });
    }

    private static String properties(JsonNode schema) {
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asString()));
        String cell = schema.path("properties").properties().stream()
                .map(property -> property(property, required.contains(property.getKey())))
                .collect(Collectors.joining(", "));
        return cell.isEmpty() ? "none" : cell;
    }

    private static String property(Map.Entry<String, JsonNode> property, boolean required) {
        JsonNode schema = property.getValue();
        String type = type(schema);
        return "`" + property.getKey() + (required ? "` " : "`? ") + type + range(schema)
                + (schema.has("default") ? " = `" + schema.path("default") + "`" : "");
    }

    private static String type(JsonNode schema) {
        if (schema.has("enum"))
            return choices(schema.path("enum"));
        if (schema.has("const"))
            return "`" + schema.path("const").asString() + "`";
        String type = schema.path("type").isArray()
                ? choices(schema.path("type"))
                : schema.path("type").asString("any");
        return schema.has("items") ? type + " of " + type(schema.path("items")) : type;
    }

    private static String choices(JsonNode values) {
        return values.values().stream().map(JsonNode::asString).collect(Collectors.joining(" or "));
    }

    private static String range(JsonNode schema) {
        List<String> bounds = new ArrayList<>();
        for (String keyword : BOUNDS)
            if (schema.has(keyword))
                bounds.add(switch (keyword) {
                    case "exclusiveMinimum" -> "above ";
                    case "minimum" -> "from ";
                    default -> "up to ";
                } + schema.path(keyword));
        if (schema.has("maxLength"))
            bounds.add("of " + schema.path("maxLength") + " characters at most");
        return bounds.isEmpty() ? "" : " " + String.join(" ", bounds);
    }

    private static String limits(ToolSpec spec, JsonNode declared) {
        List<String> limits = new ArrayList<>();
        limits.add(declared.path("timeout").asString("default timeout"));
        limits.add("error message " + spec.errorMessageLimit());
        declared.path("limits").properties()
                .forEach(limit -> limits.add(limit.getKey() + " " + value(limit.getValue())));
        return String.join(", ", limits);
    }

    private static String value(JsonNode limit) {
        return limit.isObject()
                ? String.join(" ", limit.propertyStream().map(part -> part.getKey() + " " + part.getValue()).toList())
                : limit.toString();
    }

    /// Annotations and what policy goes by.
    private static String promises(JsonNode declared) {
        List<String> promises = new ArrayList<>();
        declared.path("annotations").properties().stream().filter(flag -> flag.getValue().asBoolean())
                .forEach(flag -> promises.add(flag.getKey()));
        Stream.of("requiresApproval", "isTransactional", "accessesSensitiveData", "mayRepeat")
                .filter(flag -> declared.path(flag).asBoolean(false)).forEach(promises::add);
        if (declared.has("group"))
            promises.add("group `" + declared.path("group").asString() + "`");
        return promises.isEmpty() ? "none" : String.join(", ", promises);
    }
}
