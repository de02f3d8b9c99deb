package dev.toolfleet.client.format;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Copy of an export's parameters for a provider. Each step changes only things that the provider rejects, and notes
/// the change. A step may drop restrictions but never arguments; the worker checks calls against the original. For one
/// thread.
final class ParameterSchema {
    private static final String CHECKED = " Calls are still checked against the original schema.";
    private static final String DRAFT = "https://json-schema.org/draft/2020-12/schema";
    /// The most references in a chain of references.
    private static final int MAX_HOPS = 8;

    private final ObjectNode schema;
    private final List<String> notes = new ArrayList<>();
    private final Map<String, String> renamed = new LinkedHashMap<>();

    ParameterSchema(ObjectNode original) {
        this.schema = original.deepCopy();
    }

    /// Returns the present copy.
    ObjectNode schema() {
        return schema;
    }

    /// Returns the changes, a sentence or two each.
    List<String> notes() {
        return List.copyOf(notes);
    }

    /// Returns the original names of renamed arguments, by their new ones.
    Map<String, String> renamed() {
        return Map.copyOf(renamed);
    }

    /// Replaces a reference at the top by its target.
    ParameterSchema followTop() {
        for (int hop = 0; hop < MAX_HOPS && schema.path("$ref").isString(); hop++) {
            String ref = schema.path("$ref").stringValue();
            if (!(SchemaParts.target(schema, ref) instanceof ObjectNode target) || target.equals(schema))
                return this;
            schema.remove("$ref");
            target.properties().forEach(field -> schema.putIfAbsent(field.getKey(), field.getValue().deepCopy()));
            notes.add("The reference " + ref + " at the top of its parameters was replaced by its target.");
        }
        return this;
    }

    /// Removes keywords that the provider rejects at the top, and keeps the arguments that only they declare. An
    /// argument is required if every alternative requires it.
    ParameterSchema flatten(Set<String> refused, String provider) {
        for (String keyword : new TreeSet<>(refused)) {
            JsonNode removed = schema.get(keyword);
            if (removed == null)
                continue;
            schema.remove(keyword);
            if (removed.isArray() && SchemaParts.COMBINING.contains(keyword))
                keep(SchemaParts.declared(schema, keyword, removed));
            notes.add(keyword + " was removed from the top of its parameters, where " + provider + " refuses it."
                    + CHECKED);
        }
        return this;
    }

    private void keep(SchemaParts.Declared declared) {
        if (!declared.properties().isEmpty()) {
            ObjectNode properties = schema.withObjectProperty("properties");
            declared.properties().forEach((name, alternatives) -> {
                if (!properties.has(name))
                    properties.set(name, SchemaParts.anyOf(alternatives));
            });
        }
        if (!declared.required().isEmpty()) {
            Set<String> required = new TreeSet<>(declared.required());
            ArrayNode list = schema.withArrayProperty("required");
            list.forEach(name -> required.remove(name.asString()));
            required.forEach(list::add);
        }
    }

    /// Declares the arguments as an object.
    ParameterSchema sayObject() {
        JsonNode type = schema.path("type");
        if (type.isString() && type.stringValue().equals("object"))
            return this;
        schema.put("type", "object");
        notes.add("Its parameters say type: object now, which " + (type.isMissingNode()
                ? "they did not."
                : "they did not say alone.") + CHECKED);
        return this;
    }

    /// Declares the properties, even if there are none.
    ParameterSchema sayProperties() {
        if (schema.has("properties"))
            return this;
        schema.putObject("properties");
        notes.add("Its parameters have an empty properties now, without which they would be refused.");
        return this;
    }

    /// Declares the items of every array, even if any item is allowed.
    ParameterSchema sayItems() {
        SchemaParts.walk("", schema, (path, part) -> {
            if (SchemaParts.isArray(part) && !part.has("items")) {
                part.putObject("items");
                notes.add("The array " + path + " of its parameters says items: {} now, without which they would be"
                        + " refused.");
            }
        });
        return this;
    }

    /// Writes properties that are `true` or `false` as objects.
    ParameterSchema sayObjectProperties() {
        if (!(schema.get("properties") instanceof ObjectNode properties))
            return this;
        for (String name : List.copyOf(properties.propertyNames())) {
            JsonNode property = properties.path(name);
            if (!property.isBoolean())
                continue;
            ObjectNode written = properties.putObject(name);
            if (!property.booleanValue())
                written.putObject("not");
            notes.add("The schema " + property + " of its argument " + name + " is written as an object now.");
        }
        return this;
    }

    /// Gives arguments another name that the provider accepts.
    ParameterSchema renameArguments(NameRule rule) {
        if (!(schema.get("properties") instanceof ObjectNode properties)
                || properties.propertyNames().stream().allMatch(rule::accepts))
            return this;
        Map<String, String> given = rule.given(properties.propertyNames());
        schema.set("properties", SchemaParts.withKeys(properties, given));
        for (String keyword : List.of("dependentRequired", "dependentSchemas")) {
            if (schema.get(keyword) instanceof ObjectNode dependent)
                schema.set(keyword, SchemaParts.withKeys(dependent, given));
        }
        SchemaParts.renameTexts(schema.path("required"), given);
        schema.path("dependentRequired").forEach(list -> SchemaParts.renameTexts(list, given));
        new TreeMap<>(given).forEach((original, name) -> {
            if (!name.equals(original)) {
                renamed.put(name, original);
                notes.add("Its argument " + original + " has a name that is not allowed here and is called " + name
                        + "; put the original name back before the call is written.");
            }
        });
        return this;
    }

    /// Notes a schema for another draft than the provider reads.
    ParameterSchema noteOtherDraft() {
        String declared = schema.path("$schema").asString(DRAFT);
        if (!declared.replaceFirst("#$", "").equals(DRAFT))
            notes.add("Its parameters are written for " + declared + " and are read as draft 2020-12.");
        return this;
    }
}
