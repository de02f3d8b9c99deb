package dev.toolfleet.client;

import java.util.Map;
import java.util.TreeMap;

import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reading position on `tool.result` for the calls that were open when it was taken. An agent runtime stores it, with
/// the identities of its open calls, and passes it to its next client. That client then misses no result of those
/// calls.
///
/// @param offsets the first offset to read, by partition of `tool.result`
public record ClientPosition(Map<Integer, Long> offsets) {
    /// The position of a client without open calls.
    public static final ClientPosition NONE = new ClientPosition(Map.of());

    /// Checks and copies.
    public ClientPosition {
        offsets = Map.copyOf(offsets);
        offsets.forEach((partition, offset) -> {
            if (partition < 0 || offset < 0)
                throw new IllegalArgumentException("no position: partition " + partition + ", offset " + offset);
        });
    }

    /// Reads the position that [#toJson] wrote.
    ///
    /// @throws IllegalArgumentException when the text is no position
    public static ClientPosition fromJson(String json) {
        try {
            Map<Integer, Long> offsets = new TreeMap<>();
            if (!(Json.MAPPER.readTree(json).path("offsets") instanceof ObjectNode byPartition))
                throw new NumberFormatException("'offsets' is missing");
            for (var entry : byPartition.properties())
                offsets.put(Integer.valueOf(entry.getKey()), offset(entry.getValue()));
            return new ClientPosition(offsets);
        } catch (JacksonException | NumberFormatException e) {
            throw new IllegalArgumentException("not a client position: " + json, e);
        }
    }

    /// A small JSON object.
    public String toJson() {
        ObjectNode json = Json.MAPPER.createObjectNode();
        ObjectNode byPartition = json.putObject("offsets");
        new TreeMap<>(offsets).forEach((partition, offset) -> byPartition.put(partition.toString(), offset));
        return json.toString();
    }

    private static long offset(JsonNode node) {
        if (!node.isIntegralNumber())
            throw new NumberFormatException(node.toString());
        return node.longValue();
    }
}
