package dev.toolfleet.mcp.rpc;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Codec of messages. Written messages have no line breaks. Thread-safe.
public final class RpcCodec {
    private static final String VERSION = "2.0";

    private final RpcLimits limits;
    private final JsonMapper mapper;

    /// A codec that reads within the limits.
    public RpcCodec(RpcLimits limits) {
        this.limits = limits;
        this.mapper = McpJson.mapper(limits);
    }

    /// Returns the limits of what it reads.
    public RpcLimits limits() {
        return limits;
    }

    /// Reads one message.
    ///
    /// @throws UnreadableMessage if the bytes are none
    public RpcMessage read(byte[] bytes) throws UnreadableMessage {
        JsonNode json = tree(bytes);
        if (json.isArray()) {
            throw new UnreadableMessage(RpcError.INVALID_REQUEST,
                    "A batch is not accepted. Send each message on its own.", null);
        }
        if (!json.isObject())
            throw new UnreadableMessage(RpcError.INVALID_REQUEST, "A message is a JSON object.", null);
        RpcId id = RpcId.of(json.get("id"));
        if (!VERSION.equals(json.path("jsonrpc").stringValue(null)))
            throw new UnreadableMessage(RpcError.INVALID_REQUEST, "The field jsonrpc must be \"2.0\".", id);
        if (json.has("method"))
            return call((ObjectNode) json, id);
        return answer(json, id);
    }

    /// Writes one message.
    public byte[] write(RpcMessage message) {
        ObjectNode json = McpJson.object().put("jsonrpc", VERSION);
        switch (message) {
            case RpcMessage.Request request -> json.set("id", request.id().json())
                    .put("method", request.method()).set("params", request.params());
            case RpcMessage.Notification notification -> {
                json.put("method", notification.method());
                if (!notification.params().isEmpty())
                    json.set("params", notification.params());
            }
            case RpcMessage.Result result -> json.set("id", result.id().json())
                    .set("result", result.result());
            case RpcMessage.Failure failure -> {
                RpcId id = failure.id();
                if (id != null)
                    json.set("id", id.json());
                json.set("error", failure.error().json());
            }
        }
        return mapper.writeValueAsBytes(json);
    }

    private JsonNode tree(byte[] bytes) throws UnreadableMessage {
        if (bytes.length > limits.maxBytes()) {
            throw new UnreadableMessage(RpcError.INVALID_REQUEST, "The message has " + bytes.length
                    + " bytes; at most " + limits.maxBytes() + " are accepted.", null);
        }
        try {
            return mapper.readTree(bytes);
        } catch (StreamConstraintsException e) {
            throw new UnreadableMessage(RpcError.INVALID_REQUEST, "The message exceeds a limit: its JSON nests deeper "
                    + "than " + limits.maxDepth() + ", or has a longer name or number than is accepted.", null);
        } catch (JacksonException e) {
            throw new UnreadableMessage(RpcError.PARSE, "The message is not JSON: " + e.getOriginalMessage(), null);
        }
    }

    private static RpcMessage call(ObjectNode json, @Nullable RpcId id) throws UnreadableMessage {
        String method = json.path("method").stringValue(null);
        if (method == null || method.isEmpty())
            throw new UnreadableMessage(RpcError.INVALID_REQUEST, "The field method must be a text.", id);
        if (json.has("id") && id == null) {
            throw new UnreadableMessage(RpcError.INVALID_REQUEST, "The field id must be a text or a whole number.",
                    null);
        }
        JsonNode params = json.get("params");
        if (params != null && !params.isObject()) {
            throw new UnreadableMessage(RpcError.INVALID_REQUEST, "The field params must be an object.", id);
        }
        ObjectNode given = params == null ? McpJson.object() : (ObjectNode) params;
        return id == null ? new RpcMessage.Notification(method, given) : new RpcMessage.Request(id, method, given);
    }

    private static RpcMessage answer(JsonNode json, @Nullable RpcId id) throws UnreadableMessage {
        if (json.path("error").isObject())
            return new RpcMessage.Failure(id, RpcError.of(json.path("error")));
        JsonNode result = json.get("result");
        if (result == null || !result.isObject())
            throw new UnreadableMessage(RpcError.INVALID_REQUEST, "A message has a method, a result or an error.", id);
        if (id == null)
            throw new UnreadableMessage(RpcError.INVALID_REQUEST, "A result needs the id of its request.", null);
        return new RpcMessage.Result(id, (ObjectNode) result);
    }
}
