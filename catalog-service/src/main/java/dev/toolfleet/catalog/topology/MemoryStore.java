package dev.toolfleet.catalog.topology;

import java.util.Optional;

import dev.toolfleet.catalog.middleware.StepFacts;
import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Bytes of the store of extensions' memories, under the keys of the newest steps and while these exist: a mapping of
/// extensions to a mapping of tools to the memory of their results.
final class MemoryStore {
    static final String NAME = "memories";

    private MemoryStore() {}

    /// Reads the memories; empty when another version left bytes that this one cannot read.
    static ObjectNode read(byte @Nullable [] bytes) {
        try {
            return bytes != null && Json.MAPPER.readTree(bytes) instanceof ObjectNode memories
                    ? memories
                    : JsonNodeFactory.instance.objectNode();
        } catch (JacksonException e) {
            return JsonNodeFactory.instance.objectNode();
        }
    }

    static byte[] write(ObjectNode memories) {
        return Json.MAPPER.writeValueAsBytes(memories);
    }

    /// Reads the memories for layers.
    static StepFacts facts(byte @Nullable [] bytes) {
        ObjectNode memories = read(bytes);
        return (extension, tool) -> Optional.ofNullable(find(memories, extension, tool));
    }

    static @Nullable JsonNode find(ObjectNode memories, String extension, String tool) {
        return memories.path(extension).get(tool);
    }

    static void put(ObjectNode memories, String extension, String tool, JsonNode memory) {
        ObjectNode ofExtension = memories.get(extension) instanceof ObjectNode present
                ? present
                : memories.putObject(extension);
        ofExtension.set(tool, memory);
    }
}
