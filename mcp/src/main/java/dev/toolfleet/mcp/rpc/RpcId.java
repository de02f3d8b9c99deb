package dev.toolfleet.mcp.rpc;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Id of a JSON-RPC request: a whole number or a text.
public sealed interface RpcId {
    /// A whole number.
    record Whole(long value) implements RpcId {
        @Override
        public JsonNode json() {
            return JsonNodeFactory.instance.numberNode(value);
        }
    }

    /// A text.
    record Text(String value) implements RpcId {
        @Override
        public JsonNode json() {
            return JsonNodeFactory.instance.stringNode(value);
        }
    }

    /// Returns the id as it stands in messages.
    JsonNode json();

    /// Returns the id of a message, or null if the value is none.
    static @Nullable RpcId of(@Nullable JsonNode json) {
        if (json == null)
            return null;
        if (json.isString())
            return new Text(json.stringValue());
        if (json.isIntegralNumber() && json.canConvertToLong())
            return new Whole(json.longValue());
        return null;
    }
}
