package dev.toolfleet.session.file;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

import dev.toolfleet.json.Json;
import dev.toolfleet.session.message.MessageData;
import dev.toolfleet.session.transcript.Call;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.Role;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.SessionMessage;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Records of a transcript's file, one for each line.
///
/// The fleet's own layout is `{id?, role, content, at, calls?, toolCallId?, toolName?, metadata?, sum}`. `sum` is the
/// CRC-32C of the bytes before `,"sum":`, in eight hexadecimal digits. FinClaw's is `{role, content, timestamp,
/// toolUseId?, toolName?}`, Goondan's `{id, data, metadata, createdAt, source}`.
final class Records {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String SUM = ",\"sum\":\"";
    private static final int SUM_LENGTH = SUM.length() + 8 + "\"}".length();

    private Records() {}

    /// Record that is no entry. The message is one clause.
    static final class RecordException extends Exception {
        RecordException(String message) {
            super(message);
        }
    }

    /// Reads a record of any layout.
    static Entry read(String line) throws RecordException {
        JsonNode json;
        try {
            json = Json.STRICT.readTree(line);
        } catch (JacksonException e) {
            throw new RecordException("no JSON: " + e.getOriginalMessage());
        }
        if (!json.isObject())
            throw new RecordException("no JSON object");
        if (hasSum(line) && !line.endsWith(sum(line.substring(0, line.length() - SUM_LENGTH)) + "\"}"))
            throw new RecordException("the checksum is wrong");
        if (json.has("data"))
            return MessageData.entries(message(json)).getFirst();
        return json.has("timestamp") ? finclaw(json) : own(json);
    }

    static boolean hasSum(String line) {
        return line.length() > SUM_LENGTH && line.startsWith(SUM, line.length() - SUM_LENGTH);
    }

    /// Writes an entry in the fleet's own layout.
    static String write(Entry entry) {
        ObjectNode json = JSON.objectNode();
        if (entry.id() != null)
            json.put("id", entry.id());
        json.put("role", entry.role().wireName()).put("at", entry.at().toString()).set("content", entry.content());
        if (!entry.calls().isEmpty()) {
            ArrayNode calls = json.putArray("calls");
            for (Call call : entry.calls())
                calls.addObject().put("id", call.id()).put("toolName", call.toolName()).set("args", call.args());
        }
        if (entry.toolCallId() != null)
            json.put("toolCallId", entry.toolCallId());
        if (entry.toolName() != null)
            json.put("toolName", entry.toolName());
        if (!entry.metadata().isEmpty())
            json.set("metadata", entry.metadata());
        String text = Json.MAPPER.writeValueAsString(json);
        String open = text.substring(0, text.length() - 1);
        return open + SUM + sum(open) + "\"}";
    }

    /// Reads a message in Goondan's layout.
    static SessionMessage message(JsonNode json) throws RecordException {
        String type = json.path("source").path("type").asString("");
        MessageSource.Type source = MessageSource.Type.UNKNOWN;
        for (MessageSource.Type known : MessageSource.Type.values()) {
            if (known.name().equalsIgnoreCase(type))
                source = known;
        }
        JsonNode from = json.path("source");
        return new SessionMessage(text(json, "id"), json.path("data"), object(json.path("metadata")),
                time(json.path("createdAt")), new MessageSource(source, null, from.path("toolCallId").asStringOpt()
                        .orElse(null), from.path("toolName").asStringOpt().orElse(null), null));
    }

    private static Entry own(JsonNode json) throws RecordException {
        List<Call> calls = new ArrayList<>();
        for (JsonNode call : json.path("calls")) {
            calls.add(new Call(text(call, "id"), call.path("toolName").asString(""),
                    call.has("args") ? call.get("args") : JSON.objectNode()));
        }
        ObjectNode metadata = object(json.path("metadata"));
        return new Entry(json.path("id").asStringOpt().orElse(null), role(json), content(json), time(json.path("at")),
                calls, json.path("toolCallId").asStringOpt().orElse(null),
                json.path("toolName").asStringOpt().orElse(null), metadata == null ? JSON.objectNode() : metadata);
    }

    private static Entry finclaw(JsonNode json) throws RecordException {
        Role role = role(json);
        String useId = json.path("toolUseId").asStringOpt().orElse(null);
        String toolName = json.path("toolName").asStringOpt().orElse(null);
        List<Call> calls = role == Role.ASSISTANT && useId != null
                ? List.of(new Call(useId, toolName == null ? "" : toolName, JSON.objectNode()))
                : List.of();
        boolean tool = role == Role.TOOL;
        return new Entry(null, role, content(json), time(json.path("timestamp")), calls, tool ? useId : null,
                tool ? toolName : null, JSON.objectNode());
    }

    private static Role role(JsonNode json) throws RecordException {
        String name = json.path("role").asString("");
        return Role.of(name).orElseThrow(() -> new RecordException("the role '" + name + "' is unknown"));
    }

    private static JsonNode content(JsonNode json) {
        JsonNode content = json.path("content");
        return content.isMissingNode() ? JSON.nullNode() : content;
    }

    private static String text(JsonNode json, String field) throws RecordException {
        return json.path(field).asStringOpt().orElseThrow(() -> new RecordException("'" + field + "' is missing"));
    }

    private static Instant time(JsonNode time) throws RecordException {
        try {
            return time.isNumber() ? Instant.ofEpochMilli(time.asLong()) : Instant.parse(time.asString(""));
        } catch (DateTimeException e) {
            throw new RecordException("the time '" + time.asString("") + "' is no instant");
        }
    }

    private static @Nullable ObjectNode object(JsonNode node) {
        return node instanceof ObjectNode object ? object : null;
    }

    private static String sum(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", crc.getValue());
    }
}
