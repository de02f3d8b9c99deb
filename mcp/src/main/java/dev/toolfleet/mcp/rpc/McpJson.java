package dev.toolfleet.mcp.rpc;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Jackson, set up for messages of strangers: bounded nesting, no name twice in one object, nothing behind the value.
public final class McpJson {
    /// The deepest nesting that is written; what was read fits.
    private static final int WRITTEN_NESTING = 1_000;

    private McpJson() {}

    /// Returns an empty object.
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /// Returns an empty array.
    public static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    /// Returns a mapper that reads within the limits.
    static JsonMapper mapper(RpcLimits limits) {
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(limits.maxDepth())
                        .maxStringLength(limits.maxBytes()).build())
                .streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(WRITTEN_NESTING).build())
                .build();
        return JsonMapper.builder(factory).enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY).build();
    }
}
