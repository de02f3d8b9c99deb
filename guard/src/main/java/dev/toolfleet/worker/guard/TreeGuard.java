package dev.toolfleet.worker.guard;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeType;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// Guard of every text of a JSON tree. An unchanged node is returned as the same object; a changed tree is copied only
/// as far as it changed. Structure, numbers and the number of fields stay. One exception: a number whose field names a
/// card or an account becomes the marker, a text. Not thread-safe.
final class TreeGuard {
    private final TextGuard texts;

    TreeGuard(TextGuard texts) {
        this.texts = texts;
    }

    JsonNode guard(JsonNode node) {
        return guard(node, FieldName.NONE);
    }

    @SuppressWarnings("ReferenceEquality") // The same node, not an equal one, means that nothing changed.
    private JsonNode guard(JsonNode node, FieldName field) {
        return switch (node.getNodeType()) {
            case STRING -> {
                String text = node.stringValue();
                String guarded = texts.value(text, field);
                yield guarded == text ? node : StringNode.valueOf(guarded);
            }
            case NUMBER -> field.isFinancial() && node.isIntegralNumber()
                    && texts.isFinancial(node.asString(), field) ? StringNode.valueOf(Markers.REDACTED) : node;
            case ARRAY -> array((ArrayNode) node, field);
            case OBJECT -> object((ObjectNode) node, field);
            case POJO -> guard(decoded(node), field);
            // Guarded in its written form, base64.
            case BINARY -> guard(StringNode.valueOf(node.asString()), field);
            case BOOLEAN, NULL -> node;
            case MISSING -> NullNode.instance;
        };
    }

    /// Turns a value that is no tree yet into one; only a layer or a handler can leave such a value inside a tree.
    private static JsonNode decoded(JsonNode node) {
        JsonNode tree = Json.MAPPER.readTree(Json.MAPPER.writeValueAsBytes(node));
        return tree.getNodeType() == JsonNodeType.POJO ? NullNode.instance : tree;
    }

    @SuppressWarnings("ReferenceEquality")
    private JsonNode array(ArrayNode array, FieldName field) {
        ArrayNode copy = null;
        for (int i = 0; i < array.size(); i++) {
            JsonNode child = array.get(i);
            JsonNode guarded = guard(child, field);
            if (guarded != child && copy == null) {
                copy = Json.MAPPER.createArrayNode();
                for (int before = 0; before < i; before++)
                    copy.add(array.get(before));
            }
            if (copy != null)
                copy.add(guarded);
        }
        return copy == null ? array : copy;
    }

    @SuppressWarnings("ReferenceEquality")
    private JsonNode object(ObjectNode object, FieldName outer) {
        Map<String, JsonNode> changed = null;
        Map<String, String> names = null;
        for (Iterator<Map.Entry<String, JsonNode>> fields = object.properties().iterator(); fields.hasNext();) {
            Map.Entry<String, JsonNode> entry = fields.next();
            JsonNode guarded = guard(entry.getValue(), FieldName.of(entry.getKey()).in(outer));
            if (guarded != entry.getValue())
                changed = with(changed, entry.getKey(), guarded);
            String name = texts.name(entry.getKey());
            if (name != entry.getKey())
                names = with(names, entry.getKey(), name);
        }
        return changed == null && names == null ? object : copy(object, orNone(changed), orNone(names));
    }

    private static <V> Map<String, V> with(@Nullable Map<String, V> map, String key, V value) {
        Map<String, V> more = map == null ? new HashMap<>() : map;
        more.put(key, value);
        return more;
    }

    private static <V> Map<String, V> orNone(@Nullable Map<String, V> map) {
        return map == null ? Map.of() : map;
    }

    private static ObjectNode copy(ObjectNode object, Map<String, JsonNode> changed, Map<String, String> names) {
        ObjectNode copy = Json.MAPPER.createObjectNode();
        object.properties().forEach(entry -> copy.set(
                free(names.getOrDefault(entry.getKey(), entry.getKey()), copy),
                changed.getOrDefault(entry.getKey(), entry.getValue())));
        return copy;
    }

    /// Returns a free name, so that two fields whose names are redacted stay two.
    private static String free(String name, ObjectNode in) {
        if (!in.has(name))
            return name;
        int number = in.size();
        while (in.has(name + " " + number))
            number++;
        return name + " " + number;
    }
}
