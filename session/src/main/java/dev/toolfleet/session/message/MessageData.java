package dev.toolfleet.session.message;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.session.transcript.Call;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.Role;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.SessionMessage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Conversion between a message's `data` and entries of a transcript.
///
/// `data` has the form of the AI SDK's `ModelMessage`: a `role`, and a `content` that is a text or an array of parts.
/// Parts of type `tool-call` are calls, and parts of type `tool-result` are results. The older form of a result,
/// `{role: tool, toolCallId, toolName, output}`, is read too.
public final class MessageData {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private MessageData() {}

    /// Returns the entries of a message: one, but one for each result of a tool's message.
    public static List<Entry> entries(SessionMessage message) {
        JsonNode data = message.data();
        Role role = Role.of(data.path("role").asString("")).orElseGet(() -> role(message.source().type()));
        JsonNode content = data.path("content");
        if (role == Role.TOOL)
            return results(message, data, content);
        ArrayNode parts = JSON.arrayNode();
        List<Call> calls = new ArrayList<>();
        if (content.isArray()) {
            for (JsonNode part : content) {
                if (part.path("type").asString("").equals("tool-call"))
                    calls.add(call(part));
                else
                    parts.add(part);
            }
        }
        return List.of(new Entry(message.id(), role, content.isArray() ? parts : present(content), message.createdAt(),
                calls, null, null, metadata(message)));
    }

    /// Returns the calls of a message.
    public static List<Call> calls(SessionMessage message) {
        return message.source().type() == MessageSource.Type.TOOL
                ? List.of()
                : entries(message).stream().flatMap(entry -> entry.calls().stream()).toList();
    }

    /// Returns the `data` of an entry.
    public static ObjectNode data(Entry entry) {
        ObjectNode data = JSON.objectNode().put("role", entry.role().wireName());
        if (entry.role() == Role.TOOL) {
            data.putArray("content").add(resultPart(entry));
        } else if (entry.calls().isEmpty()) {
            data.set("content", entry.content());
        } else {
            ArrayNode parts = data.putArray("content");
            if (entry.content().isArray())
                entry.content().forEach(parts::add);
            else if (!entry.isBlank())
                parts.addObject().put("type", "text").put("text", entry.content().asString(""));
            entry.calls().forEach(call -> parts.add(callPart(call)));
        }
        return data;
    }

    /// Returns the part of a message of the model with a call.
    public static ObjectNode callPart(Call call) {
        ObjectNode part = JSON.objectNode().put("type", "tool-call").put("toolCallId", call.id())
                .put("toolName", call.toolName());
        part.set("input", call.args());
        return part;
    }

    private static ObjectNode resultPart(Entry entry) {
        ObjectNode part = JSON.objectNode().put("type", "tool-result").put("toolCallId", entry.toolCallId())
                .put("toolName", entry.toolName() == null ? "" : entry.toolName());
        boolean isError = entry.metadata().path(Entry.IS_ERROR).asBoolean(false);
        String type = entry.content().isString() ? (isError ? "error-text" : "text") : isError ? "error-json" : "json";
        part.putObject("output").put("type", type).set("value", entry.content());
        return part;
    }

    private static List<Entry> results(SessionMessage message, JsonNode data, JsonNode content) {
        List<Entry> results = new ArrayList<>();
        if (data.has("toolCallId"))
            results.add(result(message, message.id(), data));
        for (JsonNode part : content) {
            if (part.path("type").asString("").equals("tool-result"))
                results.add(
                        result(message, results.isEmpty() ? message.id() : message.id() + "#" + (results.size() + 1),
                                part));
        }
        if (results.isEmpty())
            results.add(result(message, message.id(), data));
        return results;
    }

    private static Entry result(SessionMessage message, String id, JsonNode part) {
        JsonNode output = part.has("output")
                ? part.get("output")
                : part.has("result")
                        ? part.get("result")
                        : part.path("content");
        String type = output.path("type").asString("");
        boolean wrapped = output.isObject() && output.has("value") && !type.isEmpty();
        ObjectNode metadata = metadata(message);
        if (part.path("isError").asBoolean(false) || (wrapped && type.startsWith("error-"))) {
            metadata = metadata.deepCopy();
            metadata.put(Entry.IS_ERROR, true);
        }
        return new Entry(id, Role.TOOL, present(wrapped ? output.get("value") : output), message.createdAt(), List.of(),
                part.path("toolCallId").asStringOpt().orElse(message.source().toolCallId()),
                part.path("toolName").asStringOpt().orElse(message.source().toolName()), metadata);
    }

    private static Call call(JsonNode part) {
        JsonNode args = part.has("input") ? part.get("input") : part.path("args");
        return new Call(part.path("toolCallId").asString(""), part.path("toolName").asString(""),
                args.isMissingNode() ? JSON.objectNode() : args);
    }

    private static ObjectNode metadata(SessionMessage message) {
        ObjectNode metadata = message.metadata();
        return metadata == null ? JSON.objectNode() : metadata;
    }

    private static JsonNode present(@Nullable JsonNode node) {
        return node == null || node.isMissingNode() ? JSON.nullNode() : node;
    }

    private static Role role(MessageSource.Type type) {
        return switch (type) {
            case ASSISTANT -> Role.ASSISTANT;
            case TOOL -> Role.TOOL;
            case SYSTEM -> Role.SYSTEM;
            case USER, EXTENSION, UNKNOWN -> Role.USER;
        };
    }
}
