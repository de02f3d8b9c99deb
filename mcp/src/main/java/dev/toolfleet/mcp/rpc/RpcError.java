package dev.toolfleet.mcp.rpc;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Error of a JSON-RPC answer.
///
/// @param code one of the constants, or a number of the other side's own
/// @param message a sentence for people
/// @param data details by code; null for none
public record RpcError(int code, String message, @Nullable JsonNode data) {
    /// The text is not JSON.
    public static final int PARSE = -32700;
    /// The JSON is no message.
    public static final int INVALID_REQUEST = -32600;
    /// The method is unknown.
    public static final int METHOD_NOT_FOUND = -32601;
    /// The parameters do not fit, or name something that does not exist.
    public static final int INVALID_PARAMS = -32602;
    /// The other side failed.
    public static final int INTERNAL = -32603;
    /// A header and the body disagree, or a header is missing (2026-07-28).
    public static final int HEADER_MISMATCH = -32020;
    /// The client did not declare a capability that the request needs (2026-07-28).
    public static final int MISSING_CAPABILITY = -32021;
    /// The server does not speak the revision of the request (2026-07-28).
    public static final int UNSUPPORTED_VERSION = -32022;

    /// An error without details.
    public RpcError(int code, String message) {
        this(code, message, null);
    }

    /// Reads the value of `error`.
    public static RpcError of(JsonNode json) {
        JsonNode code = json.path("code");
        JsonNode data = json.get("data");
        return new RpcError(code.isIntegralNumber() && code.canConvertToInt() ? code.intValue() : INTERNAL,
                json.path("message").asString("error without a message"), data);
    }

    /// Returns the value of `error`.
    public ObjectNode json() {
        ObjectNode json = McpJson.object().put("code", code).put("message", message);
        if (data != null)
            json.set("data", data);
        return json;
    }

    /// True if the code states that the request was refused before anything was done for it.
    public boolean isRefusal() {
        return switch (code) {
            case PARSE, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, HEADER_MISMATCH, MISSING_CAPABILITY,
                    UNSUPPORTED_VERSION ->
                true;
            default -> false;
        };
    }

    /// True if only servers of 2026-07-28 and later give this code.
    public boolean isModern() {
        return code == HEADER_MISMATCH || code == MISSING_CAPABILITY || code == UNSUPPORTED_VERSION;
    }
}
