package dev.toolfleet.cli.diff;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

import dev.toolfleet.json.CanonicalJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Compares two JSON documents. Pure.
///
/// Objects are compared by key, whatever the keys' order. Items of a list are recognised by their `name`, else by their
/// whole value, so that one that moved or was inserted does not make all that follow look different; a list in which
/// two items look alike is compared by position.
public final class FieldChanges {
    private final List<FieldChange> changes = new ArrayList<>();

    private FieldChanges() {}

    /// Lists the differences in the order of the fields; fields below an added or removed field are not listed again.
    public static List<FieldChange> of(JsonNode before, JsonNode after) {
        FieldChanges compared = new FieldChanges();
        compared.compare("", before, after);
        return List.copyOf(compared.changes);
    }

    private void compare(String path, @Nullable JsonNode before, @Nullable JsonNode after) {
        if (before == null || after == null) {
            changes.add(new FieldChange(path, before, after));
        } else if (before.isObject() && after.isObject()) {
            Set<String> keys = new LinkedHashSet<>(before.propertyNames());
            keys.addAll(after.propertyNames());
            keys.forEach(key -> compare(path.isEmpty() ? key : path + "." + key, before.get(key), after.get(key)));
        } else if (before.isArray() && after.isArray()) {
            lists(path, before, after);
        } else if (!CanonicalJson.of(before).equals(CanonicalJson.of(after))) {
            changes.add(new FieldChange(path, before, after));
        }
    }

    private void lists(String path, JsonNode before, JsonNode after) {
        Optional<SequencedMap<String, JsonNode>> old = named(before);
        Optional<SequencedMap<String, JsonNode>> now = named(after);
        if (old.isEmpty() || now.isEmpty()) {
            for (int i = 0; i < Math.max(before.size(), after.size()); i++)
                compare(path + "[" + i + "]", before.get(i), after.get(i));
            return;
        }
        Set<String> names = new LinkedHashSet<>(old.get().keySet());
        names.addAll(now.get().keySet());
        int found = changes.size();
        names.forEach(name -> compare(path + "[" + name + "]", old.get().get(name), now.get().get(name)));
        if (found == changes.size() && !List.copyOf(old.get().keySet()).equals(List.copyOf(now.get().keySet())))
            changes.add(new FieldChange(path + " (order)", before, after));
    }

    private static Optional<SequencedMap<String, JsonNode>> named(JsonNode list) {
        SequencedMap<String, JsonNode> items = new LinkedHashMap<>();
        for (JsonNode item : list) {
            String name = item.path("name").isString() && item.path("kind").isMissingNode()
                    ? item.path("name").stringValue()
                    : item.isString() ? item.stringValue() : CanonicalJson.of(item);
            if (items.putIfAbsent(name, item) != null)
                return Optional.empty();
        }
        return Optional.of(items);
    }
}
