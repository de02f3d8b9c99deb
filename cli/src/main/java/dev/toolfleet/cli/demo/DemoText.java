package dev.toolfleet.cli.demo;

import java.util.List;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Parts of a call and of a result that fit in one line of the demo. Pure.
final class DemoText {
    private static final Set<String> SURROUNDINGS = Set.of("env", "cwd", "command", "process");
    private static final List<String> FIRST = List.of("stdout", "stderr", "exitCode", "content", "size", "response");

    private DemoText() {}

    /// The arguments without those that only describe surroundings.
    static JsonNode arguments(JsonNode arguments) {
        if (!(arguments instanceof ObjectNode object))
            return arguments;
        ObjectNode kept = object.deepCopy();
        kept.remove(List.of("env", "cwd"));
        return kept;
    }

    /// The output, what matters most first, without what repeats the call and without switches that are off.
    static JsonNode output(JsonNode output) {
        if (!(output instanceof ObjectNode object))
            return output;
        ObjectNode kept = JsonNodeFactory.instance.objectNode();
        FIRST.forEach(name -> keep(name, object.path(name), kept));
        object.properties().forEach(field -> keep(field.getKey(), field.getValue(), kept));
        return kept;
    }

    private static void keep(String name, JsonNode value, ObjectNode kept) {
        boolean empty = value.isMissingNode() || value.isNull() || (value.isString() && value.stringValue().isEmpty())
                || (value.isBoolean() && !value.booleanValue());
        if (!empty && !SURROUNDINGS.contains(name) && !kept.has(name))
            kept.set(name, value);
    }
}
