package dev.toolfleet.cli.mcp;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON values as lines of YAML: mappings as indented blocks, lists in brackets. Pure.
final class YamlValue {
    private static final int INDENT = 2;

    private YamlValue() {}

    /// Returns the lines of `key: value`.
    ///
    /// @param column the column of the key, from 0
    static List<String> entry(String key, JsonNode value, int column) {
        String head = " ".repeat(column) + key(key) + ":";
        if (!(value instanceof ObjectNode object) || object.isEmpty())
            return List.of(head + " " + inline(value));
        List<String> lines = new ArrayList<>(List.of(head));
        for (String each : object.propertyNames())
            lines.addAll(entry(each, object.get(each), column + INDENT));
        return lines;
    }

    static String key(String key) {
        return text(key);
    }

    private static String inline(JsonNode value) {
        if (value.isString())
            return text(value.stringValue());
        if (value.isArray()) {
            List<String> items = new ArrayList<>();
            value.forEach(item -> items.add(inline(item)));
            return "[" + String.join(", ", items) + "]";
        }
        return value.toString();
    }

    /// Returns a text without quotes if YAML reads it as that text, else in double quotes, in which YAML reads what JSON
    /// reads.
    private static String text(String text) {
        boolean plain = text.matches("[A-Za-z/@][A-Za-z0-9/._@-]*(:[A-Za-z0-9/._@-]+)*") && !text.startsWith("@")
                && !text.matches("(?i)true|false|null|yes|no|on|off|y|n");
        return plain ? text : Json.MAPPER.writeValueAsString(text);
    }
}
