package dev.toolfleet.session.transcript;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;

/// Entry of a transcript: a message of a user, the model, the agent's author or a tool.
///
/// The trees are shared and never changed by this library.
///
/// @param id names the entry in its log; absent in logs without ids
/// @param role the author
/// @param content a text, or an array of parts, without the calls
/// @param at the time of writing
/// @param calls the tool calls of an assistant's entry, in the model's order
/// @param toolCallId the answered call, in a tool's entry
/// @param toolName the answered tool, when it is known
/// @param metadata free; [#SYNTHETIC], [#REASON], [#IS_ERROR], [#STOP_REASON] and [#UNKNOWN_TOOLS] have a meaning here
public record Entry(@Nullable String id, Role role, JsonNode content, Instant at, List<Call> calls,
        @Nullable String toolCallId, @Nullable String toolName, ObjectNode metadata) {
    /// Metadata: `true` when a repair made or changed the entry.
    public static final String SYNTHETIC = "synthetic";
    /// Metadata: the reason of a synthetic result, `aborted`, `lost` or `timeout`.
    public static final String REASON = "reason";
    /// Metadata: `true` when a result is an error.
    public static final String IS_ERROR = "isError";
    /// Metadata of an assistant's entry: `aborted` or `error` when the model did not finish it.
    public static final String STOP_REASON = "stopReason";
    /// Metadata of an assistant's entry: names of called tools that do not exist.
    public static final String UNKNOWN_TOOLS = "unknownTools";

    /// Checks that only the optional parts are absent.
    public Entry {
        requireNonNull(role, "role");
        requireNonNull(content, "content");
        requireNonNull(at, "at");
        calls = List.copyOf(calls);
        requireNonNull(metadata, "metadata");
    }

    /// Makes an entry of a user, the model or the agent's author.
    public static Entry text(@Nullable String id, Role role, String text, Instant at) {
        return new Entry(id, role, StringNode.valueOf(text), at, List.of(), null, null, noMetadata());
    }

    /// Makes the model's entry with its calls.
    public static Entry calling(@Nullable String id, String text, Instant at, List<Call> calls) {
        return new Entry(id, Role.ASSISTANT, StringNode.valueOf(text), at, calls, null, null, noMetadata());
    }

    /// Makes a tool's answer.
    public static Entry result(@Nullable String id, String toolCallId, @Nullable String toolName, JsonNode content,
            Instant at) {
        return new Entry(id, Role.TOOL, content, at, List.of(), toolCallId, toolName, noMetadata());
    }

    /// Returns the same entry with other content.
    public Entry withContent(JsonNode newContent) {
        return new Entry(id, role, newContent, at, calls, toolCallId, toolName, metadata);
    }

    /// Returns the same entry with other calls.
    public Entry withCalls(List<Call> newCalls) {
        return new Entry(id, role, content, at, newCalls, toolCallId, toolName, metadata);
    }

    /// Returns the same entry with one more metadata value; an older one of this name is replaced.
    public Entry withMetadata(String name, JsonNode value) {
        ObjectNode more = metadata.deepCopy();
        more.set(name, value);
        return new Entry(id, role, content, at, calls, toolCallId, toolName, more);
    }

    /// True when a repair made or changed the entry.
    public boolean isSynthetic() {
        return metadata.path(SYNTHETIC).asBoolean(false);
    }

    /// True for an assistant's entry that the model did not finish.
    public boolean isAborted() {
        String reason = metadata.path(STOP_REASON).asString("");
        return reason.equals("aborted") || reason.equals("error");
    }

    /// True when there is no content: an absent or blank text, or no parts.
    public boolean isBlank() {
        return content.isNull() || content.isMissingNode() || (content.isString() && content.stringValue().isBlank())
                || (content.isContainer() && content.isEmpty());
    }

    private static ObjectNode noMetadata() {
        return JsonNodeFactory.instance.objectNode();
    }
}
