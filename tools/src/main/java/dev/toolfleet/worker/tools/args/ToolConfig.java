package dev.toolfleet.worker.tools.args;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads `spec.config` of a built-in tool; a key that it does not know or a value of the wrong kind throws an
/// [IllegalArgumentException] that names it.
public final class ToolConfig {
    private final String tool;
    private final ObjectNode config;

    /// Refuses keys other than these.
    public ToolConfig(String tool, ObjectNode config, Set<String> keys) {
        this.tool = tool;
        this.config = config;
        for (String key : config.propertyNames())
            if (!keys.contains(key))
                throw wrong(key, "is not a setting; known are " + keys.stream().sorted().toList());
    }

    /// A flag, false when absent.
    public boolean flag(String key) {
        JsonNode value = config.get(key);
        if (value == null)
            return false;
        if (!value.isBoolean())
            throw wrong(key, "must be true or false, not " + value);
        return value.booleanValue();
    }

    /// A whole number from 1 up.
    public int positive(String key, int absent) {
        JsonNode value = config.get(key);
        if (value == null)
            return absent;
        if (!value.isInt() || value.intValue() < 1)
            throw wrong(key, "must be a whole number from 1 to " + Integer.MAX_VALUE + ", not " + value);
        return value.intValue();
    }

    /// The variable of the worker's environment that holds a secret, from `{valueFrom: {env: NAME}}`; null when absent.
    /// A secret itself has no place in a bundle.
    public @Nullable String variable(String key) {
        JsonNode value = config.get(key);
        if (value == null)
            return null;
        JsonNode name = value.path("valueFrom").path("env");
        if (!name.isString() || name.stringValue().isBlank() || value.size() != 1 || value.get("valueFrom").size() != 1)
            throw wrong(key, "must be {valueFrom: {env: NAME}}, which names a variable of the worker's environment;"
                    + " the present value is not shown");
        return name.stringValue();
    }

    /// Returns a text; null if it is absent.
    ///
    /// @param reader throws an [IllegalArgumentException] that describes the fault of its text
    /// @param form the form of such texts, as in "ranges such as 10.0.0.0/8"
    public <T> @Nullable T text(String key, Function<String, T> reader, String form) {
        JsonNode value = config.get(key);
        if (value == null)
            return null;
        if (!value.isString())
            throw wrong(key, "must be a text, not " + value);
        try {
            return reader.apply(value.stringValue());
        } catch (IllegalArgumentException e) {
            throw wrong(key, "cannot be used (" + e.getMessage() + "); it takes " + form);
        }
    }

    /// A list of texts, empty when absent.
    public List<String> texts(String key) {
        JsonNode value = config.get(key);
        if (value == null)
            return List.of();
        List<String> texts = new ArrayList<>();
        for (JsonNode item : value)
            if (item.isString())
                texts.add(item.stringValue());
        if (!value.isArray() || texts.size() != value.size())
            throw wrong(key, "must be a list of texts, not " + value);
        return List.copyOf(texts);
    }

    /// A list of ids, which YAML may read as whole numbers; empty when absent.
    public List<String> ids(String key) {
        JsonNode value = config.get(key);
        if (value == null)
            return List.of();
        List<String> ids = new ArrayList<>();
        for (JsonNode item : value)
            if ((item.isString() && !item.stringValue().isBlank()) || item.isIntegralNumber())
                ids.add(item.asString().strip());
        if (!value.isArray() || ids.size() != value.size())
            throw wrong(key, "must be a list of ids, texts or whole numbers, not " + value);
        return List.copyOf(ids);
    }

    /// Returns a list of texts read one by one; `absent` if there is none.
    ///
    /// @param reader throws an [IllegalArgumentException] that describes the fault of its text
    /// @param form the form of the texts, as in "ranges such as 10.0.0.0/8"
    public <T> List<T> list(String key, Function<String, T> reader, List<T> absent, String form) {
        if (!config.has(key))
            return absent;
        List<T> read = new ArrayList<>();
        for (String text : texts(key)) {
            try {
                read.add(reader.apply(text));
            } catch (IllegalArgumentException e) {
                throw wrong(key, "holds '" + text + "' (" + e.getMessage() + "); it takes " + form);
            }
        }
        return List.copyOf(read);
    }

    private IllegalArgumentException wrong(String key, String problem) {
        return new IllegalArgumentException("Tool/" + tool + " spec.config." + key + " " + problem + ".");
    }
}
