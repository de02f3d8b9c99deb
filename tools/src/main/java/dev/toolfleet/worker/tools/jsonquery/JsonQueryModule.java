package dev.toolfleet.worker.tools.jsonquery;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.tools.args.Arguments;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The built-in Tool `json-query` with the exports `query`, `pick`, `count` and `flatten`. Parameters, paths and
/// results are Goondan's; texts are counted in characters (code points). Numbers keep all their digits.
public final class JsonQueryModule implements ToolModule {
    private static final ObjectReader READER = Json.MAPPER.reader()
            .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("query", pure(JsonQueryModule::query), "pick", pure(JsonQueryModule::pick), "count",
                pure(JsonQueryModule::count), "flatten", pure(JsonQueryModule::flatten));
    }

    private static ObjectNode query(JsonNode data, Arguments args) {
        String path = args.text("path", ".");
        Optional<JsonNode> value = DotPath.parse(path).find(data);
        return answer().put("path", path).put("found", value.isPresent()).set("value",
                value.orElse(Json.MAPPER.nullNode()));
    }

    private static ObjectNode pick(JsonNode data, Arguments args) {
        if (!data.isObject())
            throw Arguments.invalid("Input data must be a JSON object for pick operation");
        List<String> keys = args.texts("keys");
        ObjectNode answer = answer();
        ArrayNode shown = answer.putArray("keys");
        ObjectNode result = answer.putObject("result");
        for (String key : keys) {
            shown.add(key);
            if (data.has(key))
                result.set(key, data.get(key));
        }
        return answer;
    }

    private static ObjectNode count(JsonNode data, Arguments args) {
        String path = args.text("path", ".");
        JsonNode value = DotPath.parse(path).find(data).orElse(null);
        String type = type(value);
        int count = switch (type) {
            case "array", "object" -> value == null ? 0 : value.size();
            case "string" -> value == null ? 0 : codePoints(value.stringValue());
            case "null" -> 0;
            default -> 1;
        };
        return answer().put("path", path).put("count", count).put("type", type);
    }

    private static ObjectNode flatten(JsonNode data, Arguments args) {
        if (!data.isArray())
            throw Arguments.invalid("Input data must be a JSON array for flatten operation");
        long depth = Math.max(0, args.number("depth", 1));
        ArrayNode result = Json.MAPPER.createArrayNode();
        flatten(data, depth, result);
        return answer().put("depth", depth).put("count", result.size()).set("result", result);
    }

    /// No deeper than documents can be nested.
    private static void flatten(JsonNode array, long depth, ArrayNode into) {
        for (JsonNode item : array) {
            if (item.isArray() && depth > 0)
                flatten(item, depth - 1, into);
            else
                into.add(item);
        }
    }

    private static String type(@Nullable JsonNode value) {
        return switch (value == null ? "NULL" : value.getNodeType().name()) {
            case "ARRAY" -> "array";
            case "OBJECT" -> "object";
            case "STRING" -> "string";
            case "BOOLEAN" -> "boolean";
            case "NUMBER" -> "number";
            default -> "null";
        };
    }

    private static int codePoints(String text) {
        return text.codePointCount(0, text.length());
    }

    private static ToolHandler pure(Operation operation) {
        return (ToolContext ctx, ObjectNode input) -> {
            Arguments args = new Arguments(input);
            return ToolOutput.of(operation.apply(parse(args.requiredText("data")), args));
        };
    }

    private static JsonNode parse(String data) {
        try {
            JsonNode node = READER.readTree(data);
            if (!node.isMissingNode())
                return node;
            throw notJson("it is blank", null);
        } catch (JacksonException e) {
            TokenStreamLocation at = e.getLocation();
            throw notJson(at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr(), e);
        }
    }

    private static ToolException notJson(String where, @Nullable JacksonException cause) {
        return Arguments.invalid("Failed to parse input as JSON" + (where.isEmpty() ? "" : ": " + where),
                "Pass the JSON text itself as data, complete and without anything around it"
                        + (cause == null ? "." : ": " + cause.getOriginalMessage().lines().findFirst().orElse("")));
    }

    private static ObjectNode answer() {
        return Json.MAPPER.createObjectNode();
    }

    private interface Operation {
        ObjectNode apply(JsonNode data, Arguments args);
    }
}
