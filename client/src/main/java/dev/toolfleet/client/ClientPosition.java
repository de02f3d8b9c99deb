package dev.toolfleet.client;

import java.util.Map;
import java.util.TreeMap;

import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// From where on `tool.result` a client must read so as not to miss a result of the calls that were open when the
/// position was taken. An agent runtime stores it, with the identities of its open calls, and gives it to the next
/// client after a restart.
///
/// @param offsets the first offset to read, by partition of `tool.result`
public record ClientPosition(Map<Integer, Long> offsets) {
    /// The position of a client that has nothing open.
    public static final ClientPosition NONE = new ClientPosition(Map.of());

    /// Checks and copies.
    public ClientPosition {
        offsets = Map.copyOf(offsets);
        offsets.forEach((partition, offset) -> {
            if (partition < 0 || offset < 0)
                throw new IllegalArgumentException("no position: partition " + partition + ", offset " + offset);
        });
    }

    /// The position that [#toJson] wrote.
    ///
    /// @throws IllegalArgumentException when the text is none
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
