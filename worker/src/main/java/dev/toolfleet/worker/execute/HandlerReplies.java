package dev.toolfleet.worker.execute;

import java.time.Duration;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.FloatNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// Replies made of the values that handlers return and the exceptions that they throw. Pure.
public final class HandlerReplies {
    /// Longest handle; it becomes a record's key.
    private static final int MAX_HANDLE = 1024;

    private HandlerReplies() {}

    /// Makes the reply for a returned value.
    ///
    /// @param async whether a top-level `{__async: true, handle, …}` means a pending call (tool specification v0.8)
    public static ToolReply of(@Nullable ToolOutput output, boolean async) {
        try {
            return switch (output) {
                case null -> new ToolReply.Ok(NullNode.instance);
                case ToolOutput.Value(var value) -> ok(json(value), async);
                case ToolOutput.Pending(var handle, var value, var heartbeat, var token, var target) ->
                    pending(handle, json(value), heartbeat, token, target);
            };
        } catch (JacksonException | IllegalArgumentException | StackOverflowError e) {
            return invalid("The tool returned something that is not JSON: " + text(e));
        }
    }

    private static ToolReply pending(@Nullable String handle, JsonNode output, @Nullable Duration heartbeat,
            @Nullable String token, @Nullable String target) {
        if (handle == null || handle.isBlank())
            return invalid("The tool answered that its work goes on, without a handle.");
        if (handle.length() > MAX_HANDLE) {
            return invalid("The tool's handle has " + handle.length() + " characters; at most " + MAX_HANDLE
                    + " are accepted.");
        }
        return new ToolReply.Pending(handle, output, heartbeat, token, kept(target));
    }

    /// A label, for which no call fails.
    private static @Nullable String kept(@Nullable String target) {
        if (target == null || target.isBlank())
            return null;
        int end = Math.min(target.length(), ToolOutput.Pending.MAX_TARGET);
        return target.substring(0, Character.isHighSurrogate(target.charAt(end - 1)) ? end - 1 : end);
    }

    private static ToolReply invalid(String message) {
        return new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_RESULT_INVALID, message));
    }

    private static ToolReply ok(JsonNode value, boolean async) {
        if (async && value instanceof ObjectNode object && object.path("__async").isBoolean()
                && object.path("__async").booleanValue()
                && object.path("handle").isString()) {
            ObjectNode rest = object.deepCopy();
            rest.remove("__async");
            String handle = rest.remove("handle").stringValue();
            // It stays in the output, which the model reads.
            JsonNode target = rest.path("target");
            return pending(handle, rest, null, null, target.isString() ? target.stringValue() : null);
        }
        return new ToolReply.Ok(value);
    }

    private static JsonNode json(@Nullable Object value) {
        JsonNode node = value instanceof JsonNode tree ? tree : Json.MAPPER.<JsonNode>valueToTree(value);
        if (node == null || node.isMissingNode())
            return NullNode.instance;
        if (!isFinite(node))
            throw new IllegalArgumentException("a number is NaN or infinite");
        return node;
    }

    /// True if all numbers are finite. Otherwise: JSON output turns NaN into a text.
    private static boolean isFinite(JsonNode node) {
        if (!node.isContainer())
            return !(node instanceof DoubleNode || node instanceof FloatNode) || Double.isFinite(node.doubleValue());
        for (JsonNode child : node) {
            if (!isFinite(child))
                return false;
        }
        return true;
    }

    /// Makes the error for an exception that a handler threw.
    public static ToolError error(Throwable failure) {
        if (failure instanceof ToolException known) {
            String code = known.code() == null || known.code().isBlank() ? ErrorCode.E_TOOL.name() : known.code();
            ErrorCode fleets = fleets(code);
            String name = known.name();
            String suggestion = known.suggestion();
            return new ToolError(code, name != null || fleets == null ? name : fleets.errorName(), text(known),
                    suggestion != null ? suggestion : (fleets == null ? ErrorCode.E_TOOL : fleets).suggestion(),
                    known.helpUrl());
        }
        return new ToolError(ErrorCode.E_TOOL.name(), failure.getClass().getSimpleName(), text(failure),
                ErrorCode.E_TOOL.suggestion(), null);
    }

    private static String text(Throwable failure) {
        try {
            String message = failure.getMessage();
            return message == null || message.isBlank() ? failure.getClass().getName() : message;
        } catch (Throwable e) {
            // Exceptions of handlers may compute their message, and fail doing so.
            return failure.getClass().getName();
        }
    }

    /// Returns the fleet's code of that name; null for a code of the tool's own.
    private static @Nullable ErrorCode fleets(String code) {
        for (ErrorCode known : ErrorCode.values()) {
            if (known.name().equals(code))
                return known;
        }
        return null;
    }
}
