package dev.toolfleet.worker.tools.args;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.tool.ToolException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reader of a handler's arguments, with the messages of Goondan's own helpers. Absent means absent: an explicit null
/// has the wrong type. A value of the wrong type throws `E_TOOL_INVALID_ARGS`.
///
/// @param input the arguments
public record Arguments(ObjectNode input) {

    /// A text that is there and not empty.
    public String requiredText(String key) {
        JsonNode value = input.get(key);
        if (value == null || !value.isString() || value.stringValue().isEmpty())
            throw invalid("'" + key + "' must be a non-empty string");
        return value.stringValue();
    }

    /// A text that is there and may be empty.
    public String text(String key) {
        JsonNode value = input.get(key);
        if (value == null || !value.isString())
            throw invalid("'" + key + "' must be a string");
        return value.stringValue();
    }

    /// Returns a text, or `absent` if there is none.
    public String text(String key, String absent) {
        return input.has(key) ? text(key) : absent;
    }

    /// Returns a number without its fraction, or `absent` if there is none.
    public long number(String key, long absent) {
        JsonNode value = input.get(key);
        if (value == null)
            return absent;
        if (!value.isNumber() || Double.isNaN(value.doubleValue()))
            throw invalid("'" + key + "' must be a valid number");
        return (long) value.doubleValue();
    }

    /// Returns a flag, or `absent` if there is none.
    public boolean flag(String key, boolean absent) {
        JsonNode value = input.get(key);
        if (value == null)
            return absent;
        if (!value.isBoolean())
            throw invalid("'" + key + "' must be a boolean");
        return value.booleanValue();
    }

    /// A list of texts; empty when there is none.
    public List<String> texts(String key) {
        JsonNode value = input.get(key);
        if (value == null)
            return List.of();
        if (!value.isArray())
            throw invalid("'" + key + "' must be an array of strings");
        List<String> texts = new ArrayList<>();
        for (JsonNode item : value) {
            if (!item.isString())
                throw invalid("'" + key + "' must contain only strings");
            texts.add(item.stringValue());
        }
        return texts;
    }

    /// An object whose values are texts, numbers or flags, as texts; empty when there is none.
    public Map<String, String> scalars(String key) {
        JsonNode value = input.get(key);
        if (value == null)
            return Map.of();
        if (!value.isObject())
            throw invalid("'" + key + "' must be a JSON object");
        Map<String, String> scalars = new LinkedHashMap<>();
        value.properties().forEach(entry -> scalars.put(entry.getKey(), scalar(key, entry)));
        return scalars;
    }

    private static String scalar(String key, Map.Entry<String, JsonNode> entry) {
        JsonNode value = entry.getValue();
        if (!value.isString() && !value.isNumber() && !value.isBoolean())
            throw invalid(key + "." + entry.getKey() + " must be a primitive string/number/boolean value");
        return value.asString();
    }

    /// An error about the arguments.
    public static ToolException invalid(String message) {
        return invalid(message, null);
    }

    /// Returns an error about the arguments, with advice.
    public static ToolException invalid(String message, @Nullable String suggestion) {
        return new ToolException(ErrorCode.E_TOOL_INVALID_ARGS.name(), message)
                .suggestion(suggestion != null ? suggestion : ErrorCode.E_TOOL_INVALID_ARGS.suggestion());
    }
}
