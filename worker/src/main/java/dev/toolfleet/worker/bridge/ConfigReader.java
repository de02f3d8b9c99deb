package dev.toolfleet.worker.bridge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import dev.toolfleet.bundle.Durations;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reader of one object of the extension's configuration. Its errors name the setting, never a value that may be a
/// secret.
///
/// @param path the place of the object, for messages
/// @param json the object
/// @param env the worker's environment; returns null for a variable that is not set
record ConfigReader(String path, ObjectNode json, UnaryOperator<@Nullable String> env) {
    /// Refuses keys other than these.
    ConfigReader only(Set<String> keys) {
        for (String key : json.propertyNames()) {
            if (!keys.contains(key))
                throw wrong(key, "is not a setting; known are " + keys.stream().sorted().toList());
        }
        return this;
    }

    boolean has(String key) {
        return json.has(key);
    }

    /// Returns an object; an empty one if it is absent.
    ConfigReader object(String key) {
        JsonNode value = json.get(key);
        if (value != null && !value.isObject())
            throw wrong(key, "must be an object");
        return new ConfigReader(path + "." + key,
                value == null ? JsonNodeFactory.instance.objectNode() : (ObjectNode) value, env);
    }

    boolean flag(String key, boolean absent) {
        JsonNode value = json.get(key);
        if (value == null)
            return absent;
        if (!value.isBoolean())
            throw wrong(key, "must be true or false");
        return value.booleanValue();
    }

    /// Returns a text that is not blank.
    String text(String key) {
        JsonNode value = json.get(key);
        if (value == null || !value.isString() || value.stringValue().isBlank())
            throw wrong(key, "must be a text that is not empty");
        return value.stringValue();
    }

    String choice(String key, List<String> values) {
        if (!has(key))
            return values.getFirst();
        String value = text(key);
        if (!values.contains(value))
            throw wrong(key, "must be one of " + values);
        return value;
    }

    List<String> texts(String key) {
        JsonNode value = json.get(key);
        List<String> texts = new ArrayList<>();
        if (value == null)
            return texts;
        for (JsonNode item : value) {
            if (item.isString() && item.stringValue().indexOf('\0') < 0)
                texts.add(item.stringValue());
        }
        if (!value.isArray() || texts.size() != value.size())
            throw wrong(key, "must be a list of texts");
        return texts;
    }

    int integer(String key, int absent, int least, int most) {
        JsonNode value = json.get(key);
        if (value == null)
            return absent;
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < least
                || value.intValue() > most)
            throw wrong(key, "must be a whole number from " + least + " to " + most);
        return value.intValue();
    }

    Duration duration(String key, Duration absent, Duration most) {
        if (!has(key))
            return absent;
        Duration value = Durations.parse(text(key))
                .orElseThrow(() -> wrong(key, "must be a duration such as 30s"));
        if (!value.isPositive() || value.compareTo(most) > 0)
            throw wrong(key, "must be longer than nothing, and at most " + most.toSeconds() + "s");
        return value;
    }

    /// Returns an object's texts by their keys. A value is a text, or `{valueFrom: {env: NAME}}` with a `prefix` if it
    /// needs one.
    Map<String, String> secrets(String key) {
        ConfigReader values = object(key);
        Map<String, String> texts = new LinkedHashMap<>();
        for (String name : values.json.propertyNames())
            texts.put(name, values.secret(name));
        return texts;
    }

    private String secret(String key) {
        JsonNode value = json.path(key);
        if (value.isString())
            return checked(key, value.stringValue());
        if (value.isBoolean() || value.isNumber())
            return value.asString();
        JsonNode name = value.path("valueFrom").path("env");
        JsonNode prefix = value.path("prefix");
        int known = prefix.isMissingNode() ? 1 : 2;
        if (!name.isString() || value.size() != known || value.path("valueFrom").size() != 1
                || (known == 2 && !prefix.isString()))
            throw wrong(key, "must be a text, or {valueFrom: {env: NAME}} with the name of a variable of the worker's"
                    + " environment and, if need be, a prefix");
        String found = env.apply(name.stringValue());
        if (found == null || found.isEmpty())
            throw wrong(key, "names the variable " + name.stringValue()
                    + ", which the environment of this worker does not have");
        return checked(key, prefix.stringValue("") + found);
    }

    private String checked(String key, String value) {
        if (value.indexOf('\0') >= 0 || value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0)
            throw wrong(key, "must not hold a line break or a NUL");
        return value;
    }

    IllegalArgumentException wrong(String key, String problem) {
        return new IllegalArgumentException(path + "." + key + " " + problem + ".");
    }
}
