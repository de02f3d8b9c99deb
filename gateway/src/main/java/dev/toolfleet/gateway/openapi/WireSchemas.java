package dev.toolfleet.gateway.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.toolfleet.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Schemas of the description: the wire records' own, bodies of requests that are derived from them, and those of
/// answers. Schemas of records are added as others refer to them.
final class WireSchemas {
    private static final String ANSWERS = "/dev/toolfleet/gateway/answers.schemas.json";
    private static final String RECORDS = "/dev/toolfleet/schemas/";
    private static final String SUFFIX = ".schema.json";
    private static final String REF = "$ref";

    private final SortedMap<String, ObjectNode> byName = new TreeMap<>();

    /// Returns the schemas of the description.
    ///
    /// @param used the names that operations use
    static SortedMap<String, ObjectNode> of(Collection<String> used) {
        WireSchemas schemas = new WireSchemas();
        ObjectNode answers = read(ANSWERS);
        answers.properties().forEach(each -> schemas.put(each.getKey(), (ObjectNode) each.getValue()));
        schemas.put("StepRequest", request("StepStarted", "A step that begins.",
                List.of("type", "instanceKey", "agentName"), List.of("turnId", "stepId")));
        schemas.put("StepEndRequest", request("StepEnded", "A step that ends.",
                List.of("type", "instanceKey", "agentName", "turnId", "stepId"), List.of()));
        schemas.put("CallRequest", callRequest());
        schemas.put("CancelRequest", Json.MAPPER.readValue("""
                {"description": "A wish that the call ends.", "type": "object", "additionalProperties": false,
                 "properties": {"reason": {"type": "string", "maxLength": 1000, "description": "For people."}}}
                """, ObjectNode.class));
        schemas.put("CompletionRequest", request("Completion", "A report of work behind a handle.", List.of("handle"),
                List.of("kind")));
        schemas.put("DecisionRequest", request("Decision", "The decision of a person.", List.of("handle"),
                List.of("decision")));
        used.forEach(schemas::require);
        // Schemas that these add are resolved as they are added.
        List.copyOf(schemas.byName.values()).forEach(schemas::resolve);
        schemas.byName.values().forEach(WireSchemas::open);
        return schemas.byName;
    }

    private static ObjectNode callRequest() {
        ObjectNode request = request("ToolCall", "A call. `arguments` and `input` are other names of `args`.",
                List.of("instanceKey", "agentName", "idempotencyKey"), List.of("name"));
        ObjectNode properties = (ObjectNode) request.get("properties");
        for (String other : List.of("arguments", "input"))
            properties.putObject(other).put("description", "Another name of args, as models' providers write it.");
        properties.set("callback", request("Callback", "Where a gateway posts the final result, as a webhook.",
                List.of(), List.of("url", "secret")));
        return request;
    }

    /// Returns the schema of a request's body: that of a record, without the fields that path and headers hold.
    private static ObjectNode request(String record, String description, List<String> elsewhere,
            List<String> required) {
        ObjectNode schema = read(RECORDS + record + SUFFIX);
        schema.remove(List.of("$schema", "title"));
        schema.put("description", description).put("additionalProperties", false);
        ((ObjectNode) schema.get("properties")).remove(elsewhere);
        ArrayNode names = schema.putArray("required");
        required.forEach(names::add);
        if (names.isEmpty())
            schema.remove("required");
        return schema;
    }

    private void require(String name) {
        if (byName.containsKey(name))
            return;
        ObjectNode schema = read(RECORDS + name + SUFFIX);
        schema.remove(List.of("$schema", "title"));
        put(name, schema);
        resolve(schema);
    }

    private void put(String name, ObjectNode schema) {
        byName.put(name, schema);
    }

    /// Points references at the schemas of the description, and adds those.
    private void resolve(JsonNode node) {
        if (node instanceof ObjectNode object && object.path(REF).isString()) {
            String ref = object.get(REF).stringValue();
            if (ref.endsWith(SUFFIX)) {
                String name = ref.substring(0, ref.length() - SUFFIX.length());
                object.put(REF, "#/components/schemas/" + name);
                require(name);
            }
        }
        node.forEach(this::resolve);
    }

    /// Writes down that an object without named fields may have any, which is what JSON Schema means. Otherwise:
    /// generators of clients make a type of it that has none.
    private static void open(JsonNode node) {
        if (node instanceof ObjectNode object && object.path("type").isString()
                && object.get("type").stringValue().equals("object") && !object.has("properties")
                && !object.has("additionalProperties"))
            object.put("additionalProperties", true);
        node.forEach(WireSchemas::open);
    }

    private static ObjectNode read(String resource) {
        try (InputStream in = WireSchemas.class.getResourceAsStream(resource)) {
            if (in == null)
                throw new IllegalStateException("the class path has no " + resource);
            return Json.MAPPER.readValue(in.readAllBytes(), ObjectNode.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
