package dev.toolfleet.catalog.builtin;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reader of a built-in Extension's `spec.config`. An unknown key or a value of the wrong kind throws an
/// [IllegalArgumentException] that names it.
final class ExtensionConfig {
    private final String path;
    private final ObjectNode config;

    /// Rejects keys other than these.
    ///
    /// @param path of the mapping, such as `Extension/tool-filter spec.config`
    ExtensionConfig(String path, ObjectNode config, Set<String> keys) {
        this.path = path;
        this.config = config;
        for (String key : config.propertyNames())
            if (!keys.contains(key))
                throw wrong(key, "is not a setting; known are " + keys.stream().sorted().toList());
    }

    boolean flag(String key, boolean absent) {
        JsonNode value = config.get(key);
        if (value == null)
            return absent;
        if (!value.isBoolean())
            throw wrong(key, "must be true or false, not " + value);
        return value.booleanValue();
    }

    int whole(String key, int absent, int least) {
        JsonNode value = config.get(key);
        if (value == null)
            return absent;
        if (!value.isInt() || value.intValue() < least)
            throw wrong(key, "must be a whole number from " + least + ", not " + value);
        return value.intValue();
    }

    int positive(String key, int absent) {
        return whole(key, absent, 1);
    }

    String text(String key, String absent) {
        JsonNode value = config.get(key);
        if (value == null)
            return absent;
        if (!value.isString() || value.stringValue().isBlank())
            throw wrong(key, "must be a text, not " + value);
        return value.stringValue();
    }

    List<String> texts(String key) {
        JsonNode value = config.get(key);
        if (value == null)
            return List.of();
        List<String> texts = new ArrayList<>();
        for (JsonNode item : value)
            if (item.isString() && !item.stringValue().isBlank())
                texts.add(item.stringValue());
        if (!value.isArray() || value.isEmpty() || texts.size() != value.size())
            throw wrong(key, "must be a list of texts that is not empty, not " + value);
        return List.copyOf(texts);
    }

    Optional<ExtensionConfig> section(String key, Set<String> keys) {
        JsonNode value = config.get(key);
        if (value == null)
            return Optional.empty();
        if (!(value instanceof ObjectNode section) || section.isEmpty())
            throw wrong(key, "must be a mapping with some of " + keys.stream().sorted().toList() + ", not " + value);
        return Optional.of(new ExtensionConfig(path + "." + key, section, keys));
    }

    IllegalArgumentException wrong(String key, String problem) {
        return new IllegalArgumentException(path + "." + key + " " + problem + ".");
    }
}
