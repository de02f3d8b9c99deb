package dev.toolfleet.worker.execute;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// What handlers return and throw, as replies. Pure.
final class Replies {
    private Replies() {}

    /// @param async
    ///            whether a top-level `{__async: true, handle, …}` means a pending
    ///            call (tool specification v0.8)
    static ToolReply of(@Nullable ToolOutput output, boolean async) {
        try {
            return switch (output) {
                case null -> new ToolReply.Ok(NullNode.instance);
                case ToolOutput.Value(var value) -> ok(json(value), async);
                case ToolOutput.Pending(var handle, var value, var heartbeat, var token) ->
                    new ToolReply.Pending(handle,
                            json(value), heartbeat, token);
            };
        } catch (JacksonException | IllegalArgumentException | StackOverflowError e) {
            return new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_RESULT_INVALID,
                    "The tool returned something that is not JSON: " + e.getMessage()));
        }
    }

    private static ToolReply ok(JsonNode value, boolean async) {
        if (async && value instanceof ObjectNode object && object.path("__async").asBoolean(false)
                && object.path("handle").isString()) {
            ObjectNode rest = object.deepCopy();
            rest.remove("__async");
            String handle = rest.remove("handle").stringValue();
            return new ToolReply.Pending(handle, rest, null, null);
        }
        return new ToolReply.Ok(value);
    }

    private static JsonNode json(@Nullable Object value) {
        JsonNode node = value instanceof JsonNode tree ? tree : Json.MAPPER.<JsonNode>valueToTree(value);
        return node == null || node.isMissingNode() ? NullNode.instance : node;
    }

    /// What the caller learns of something that a handler threw.
    static ToolError error(Throwable failure) {
        if (failure instanceof ToolException known) {
            ToolError error = new ToolError(known.code(), "ToolException", text(known), known.suggestion(),
                    known.helpUrl());
            return error.suggestion() == null ? error.suggesting(defaultSuggestion(known.code())) : error;
        }
        return new ToolError(ErrorCode.E_TOOL.name(), failure.getClass().getSimpleName(), text(failure),
                ErrorCode.E_TOOL.suggestion(), null);
    }

    private static String text(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getName() : message;
    }

    private static String defaultSuggestion(String code) {
        for (ErrorCode known : ErrorCode.values()) {
            if (known.name().equals(code))
                return known.suggestion();
        }
        return ErrorCode.E_TOOL.suggestion();
    }
}
