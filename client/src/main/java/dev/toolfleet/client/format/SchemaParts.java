package dev.toolfleet.client.format;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Parts of a JSON Schema: the places of its inner schemas, and their declarations. Pure, except for methods that
/// change a given node.
final class SchemaParts {
    /// The keywords that hold a list of alternatives, or of schemas that all count.
    static final Set<String> COMBINING = Set.of("oneOf", "anyOf", "allOf");

    private static final List<String> MAPS = List.of("properties", "patternProperties", "$defs", "definitions",
            "dependentSchemas");
    private static final List<String> SINGLE = List.of("items", "additionalItems", "additionalProperties", "contains",
            "not", "if", "then", "else", "propertyNames", "unevaluatedItems", "unevaluatedProperties");
    private static final List<String> LISTS = List.of("allOf", "anyOf", "oneOf", "prefixItems", "items");
    private static final int MAX_DEPTH = 8;

    private SchemaParts() {}

    /// Declarations of alternatives.
    ///
    /// @param properties the schemas of each property, in the order of the alternatives
    /// @param required the common required properties of the alternatives
    record Declared(Map<String, List<JsonNode>> properties, Set<String> required) {}

    /// Returns the target of a reference within the document; null when it leads elsewhere or nowhere.
    static @Nullable JsonNode target(ObjectNode root, String ref) {
        if (!ref.startsWith("#/"))
            return null;
        JsonNode target = root.at(ref.substring(1));
        return target.isMissingNode() ? null : target;
    }

    /// Returns the declarations of the schemas of a combining keyword.
    ///
    /// @param root for references
    static Declared declared(ObjectNode root, String keyword, JsonNode schemas) {
        return declared(root, keyword, schemas, 0);
    }

    private static Declared declared(ObjectNode root, String keyword, JsonNode schemas, int depth) {
        List<Declared> all = new ArrayList<>();
        for (JsonNode schema : schemas)
            all.add(declared(root, schema, depth + 1));
        Map<String, List<JsonNode>> properties = new LinkedHashMap<>();
        Set<String> required = new LinkedHashSet<>();
        boolean first = true;
        for (Declared one : all) {
            one.properties().forEach((name, found) -> properties.computeIfAbsent(name, n -> new ArrayList<>())
                    .addAll(found));
            if (first || keyword.equals("allOf"))
                required.addAll(one.required());
            else
                required.retainAll(one.required());
            first = false;
        }
        return new Declared(properties, required);
    }

    private static Declared declared(ObjectNode root, JsonNode schema, int depth) {
        Map<String, List<JsonNode>> properties = new LinkedHashMap<>();
        Set<String> required = new LinkedHashSet<>();
        if (depth > MAX_DEPTH)
            return new Declared(properties, required);
        schema.path("properties").properties()
                .forEach(field -> properties.computeIfAbsent(field.getKey(), n -> new ArrayList<>())
                        .add(field.getValue()));
        schema.path("required").forEach(name -> required.add(name.asString()));
        List<Declared> inner = new ArrayList<>();
        if (schema.path("$ref").isString()) {
            JsonNode target = target(root, schema.path("$ref").stringValue());
            if (target != null)
                inner.add(declared(root, target, depth + 1));
        }
        for (String keyword : COMBINING.stream().sorted().toList()) {
            if (schema.path(keyword).isArray())
                inner.add(declared(root, keyword, schema.path(keyword), depth));
        }
        for (Declared more : inner) {
            more.properties().forEach((name, found) -> properties.computeIfAbsent(name, n -> new ArrayList<>())
                    .addAll(found));
            required.addAll(more.required());
        }
        return new Declared(properties, required);
    }

    /// Returns one schema for several alternatives.
    static JsonNode anyOf(List<JsonNode> schemas) {
        List<JsonNode> distinct = schemas.stream().distinct().toList();
        if (distinct.size() == 1)
            return distinct.getFirst().deepCopy();
        ObjectNode any = Json.MAPPER.createObjectNode();
        ArrayNode list = any.putArray("anyOf");
        distinct.forEach(schema -> list.add(schema.deepCopy()));
        return any;
    }

    /// True if the schema describes arrays.
    static boolean isArray(ObjectNode schema) {
        JsonNode type = schema.path("type");
        if (type.isString())
            return type.stringValue().equals("array");
        return type.isArray() && type.valueStream().anyMatch(one -> one.asString("").equals("array"));
    }

    /// Visits a schema and every schema inside it; never data, such as that under `enum` or `default`.
    ///
    /// @param visitor takes the path, with dots, and the schema
    static void walk(String path, JsonNode schema, BiConsumer<String, ObjectNode> visitor) {
        if (!(schema instanceof ObjectNode object))
            return;
        visitor.accept(path, object);
        String prefix = path.isEmpty() ? "" : path + ".";
        for (String keyword : MAPS) {
            object.path(keyword).properties()
                    .forEach(field -> walk(prefix + keyword + "." + field.getKey(), field.getValue(), visitor));
        }
        for (String keyword : SINGLE)
            walk(prefix + keyword, object.path(keyword), visitor);
        for (String keyword : LISTS) {
            JsonNode list = object.path(keyword);
            for (int i = 0; list.isArray() && i < list.size(); i++)
                walk(prefix + keyword + "." + i, list.path(i), visitor);
        }
    }

    /// Returns a copy with replaced keys.
    static ObjectNode withKeys(ObjectNode object, Map<String, String> given) {
        ObjectNode copy = Json.MAPPER.createObjectNode();
        object.properties().forEach(
                field -> copy.set(given.getOrDefault(field.getKey(), field.getKey()), field.getValue()));
        return copy;
    }

    /// Replaces texts in a list.
    static void renameTexts(JsonNode list, Map<String, String> given) {
        if (!(list instanceof ArrayNode array))
            return;
        for (int i = 0; i < array.size(); i++) {
            String text = array.path(i).asString("");
            if (given.containsKey(text))
                array.set(i, given.getOrDefault(text, text));
        }
    }
}
