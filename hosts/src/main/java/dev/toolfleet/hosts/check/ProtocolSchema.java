package dev.toolfleet.hosts.check;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.toolfleet.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON Schema of the messages of the host protocol, version 1. Thread-safe.
public final class ProtocolSchema {
    private static final String RESOURCE = "/dev/toolfleet/hosts/host-protocol-1.schema.json";
    private static final SchemaRegistry REGISTRY = SchemaRegistry
            .withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final ObjectNode DOCUMENT = read();
    private static final Map<String, Schema> DEFINITIONS = new ConcurrentHashMap<>();

    private ProtocolSchema() {}

    /// Returns the ways in which a message does not fit a definition; empty if it fits.
    ///
    /// @param definition a name in `$defs`, such as `invokeResult` or `fromHost`
    public static List<String> faults(String definition, JsonNode message) {
        return DEFINITIONS.computeIfAbsent(definition, ProtocolSchema::schema).validate(message).stream()
                .map(Error::toString).toList();
    }

    private static Schema schema(String definition) {
        if (!DOCUMENT.path("$defs").has(definition))
            throw new IllegalArgumentException("the schema has no definition " + definition);
        ObjectNode whole = DOCUMENT.deepCopy();
        whole.remove(List.of("$id", "anyOf"));
        return REGISTRY.getSchema(whole.put("$ref", "#/$defs/" + definition));
    }

    private static ObjectNode read() {
        try (InputStream in = ProtocolSchema.class.getResourceAsStream(RESOURCE)) {
            if (in == null)
                throw new IllegalStateException("the jar has no " + RESOURCE);
            return (ObjectNode) Json.MAPPER.readTree(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException("the schema of the host protocol cannot be read", e);
        }
    }
}
