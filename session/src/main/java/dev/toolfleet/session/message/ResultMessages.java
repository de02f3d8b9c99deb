package dev.toolfleet.session.message;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.json.Digests;
import dev.toolfleet.session.transcript.Call;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Messages that the fleet writes for calls and results. Their ids follow from the call's identity, so that a second
/// writing is a repetition.
public final class ResultMessages {
    /// Name of the extension that writes news.
    public static final String EXTENSION = "toolfleet";
    /// Metadata: true for the message of a pending result.
    public static final String PENDING = "pending";
    /// Metadata: the handle of a pending call.
    public static final String HANDLE = "handle";
    /// Metadata: true for the message of a call that waits for a person's approval.
    public static final String APPROVAL = "approval";
    /// Metadata of news: the id of the call.
    public static final String CALL = "toolCallId";
    /// Metadata: the topic from which a call's message was made.
    public static final String FROM = "from";
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    /// Each character takes up to three bytes, or six when it is escaped.
    private static final int MAX_CHARACTERS = 150_000;
    private static final String RETRY = "ACTION: Fix arguments to match the tool schema, then call this tool again.";

    private ResultMessages() {}

    /// Makes the tool's message: the answer to its call.
    ///
    /// @param identity the call's identity
    /// @param number 1 for the first result, 2 for the final one of a pending call
    public static SessionMessage answer(String identity, int number, ToolResult result, Instant at) {
        ObjectNode data = JSON.objectNode().put("role", "tool");
        ObjectNode part = data.putArray("content").addObject().put("type", "tool-result")
                .put("toolCallId", result.toolCallId()).put("toolName", result.toolName());
        part.set("output", output(result));
        ObjectNode metadata = null;
        if (result.status() == ResultStatus.PENDING)
            metadata = pending(result);
        return new SessionMessage(id(identity, number), data, metadata, at, new MessageSource(MessageSource.Type.TOOL,
                result.stepId(), result.toolCallId(), result.toolName(), null));
    }

    private static ObjectNode pending(ToolResult result) {
        ObjectNode metadata = JSON.objectNode().put(PENDING, true).put(HANDLE, result.handle());
        boolean approval = result.output() != null && result.output().path("approval").asString("").equals("required");
        return approval ? metadata.put(APPROVAL, true) : metadata;
    }

    /// Makes the news of a final result whose call was answered as pending in an earlier step.
    public static SessionMessage news(String identity, ToolResult result, Instant at) {
        String step = result.stepId() == null ? "" : ", called in step " + result.stepId();
        String text = "[tool result] " + result.toolName() + ", handle " + result.handle() + step + ": "
                + (result.error() == null ? "ok" : "error") + "\n" + value(result).asString(value(result).toString());
        ObjectNode data = JSON.objectNode().put("role", "user").put("content", text);
        ObjectNode metadata = JSON.objectNode().put(HANDLE, result.handle()).put(CALL, result.toolCallId());
        return new SessionMessage(id(identity, 2), data, metadata, at, new MessageSource(MessageSource.Type.EXTENSION,
                result.stepId(), null, null, EXTENSION));
    }

    /// Makes the model's message of a call whose runtime wrote none.
    ///
    /// @param call the call; null when it is not known, but its result is
    public static SessionMessage call(String identity, ToolResult result, @Nullable ToolCall call, Instant at) {
        ObjectNode metadata = JSON.objectNode().put(FROM, call == null ? "tool.result" : "tool.call");
        MessageSource source = new MessageSource(MessageSource.Type.ASSISTANT, result.stepId(), null, null, null);
        JsonNode written = call == null ? null : call.message();
        JsonNode args = call == null || isLarge(call.args()) ? JSON.objectNode() : call.args();
        if (written != null && !isLarge(written) && holds(written, result.toolCallId())) {
            String shared = result.instanceKey() + "\n" + result.agentName() + "\n" + result.turnId() + "\n"
                    + result.stepId() + "\n" + written;
            return new SessionMessage(id(shared, 0), written, metadata, at, source);
        }
        ObjectNode data = JSON.objectNode().put("role", "assistant");
        data.putArray("content").add(MessageData.callPart(new Call(result.toolCallId(), result.toolName(), args)));
        return new SessionMessage(id(identity, 0), data, metadata, at, source);
    }

    /// Returns the text in the place of content that no record of a session can hold.
    public static String tooLarge(int bytes) {
        return "[" + bytes + " bytes are too many for a session; tool.result has the result]";
    }

    /// Makes a message without its content, for one that no record can hold. Its calls and its place stay.
    ///
    /// @param bytes the size of the whole record
    public static SessionMessage withoutContent(SessionMessage message, int bytes) {
        String note = tooLarge(bytes);
        ObjectNode data = JSON.objectNode().put("role", message.data().path("role").asString("user"));
        if (message.source().type() == MessageSource.Type.TOOL) {
            ObjectNode part = data.putArray("content").addObject().put("type", "tool-result")
                    .put("toolCallId", message.source().toolCallId()).put("toolName", message.source().toolName());
            part.putObject("output").put("type", "text").put("value", note);
        } else {
            data.put("content", note);
        }
        return new SessionMessage(message.id(), data, message.metadata(), message.createdAt(), message.source());
    }

    /// Returns the id of the call that a message answers: that of a tool's message, or of news.
    public static Optional<String> answeredCall(SessionMessage message) {
        if (message.source().type() == MessageSource.Type.TOOL)
            return Optional.ofNullable(message.source().toolCallId());
        ObjectNode metadata = message.metadata();
        return metadata != null && EXTENSION.equals(message.source().extensionName())
                ? metadata.path(CALL).asStringOpt()
                : Optional.empty();
    }

    /// Returns the id of a message of the fleet.
    public static String id(String identity, int number) {
        String digest = Digests.sha256(identity.getBytes(StandardCharsets.UTF_8));
        return "m-" + digest.substring("sha256:".length(), "sha256:".length() + 32) + "-" + number;
    }

    /// True for what may not fit into a record beside the rest of its message.
    private static boolean isLarge(JsonNode node) {
        return node.toString().length() > MAX_CHARACTERS;
    }

    private static boolean holds(JsonNode message, String toolCallId) {
        if (!message.path("role").asString("").equals("assistant"))
            return false;
        for (JsonNode part : message.path("content")) {
            if (part.path("type").asString("").equals("tool-call")
                    && part.path("toolCallId").asString("").equals(toolCallId))
                return true;
        }
        return false;
    }

    private static ObjectNode output(ToolResult result) {
        JsonNode value = value(result);
        String type = result.error() != null ? "error-text" : value.isString() ? "text" : "json";
        ObjectNode output = JSON.objectNode().put("type", type);
        output.set("value", value);
        return output;
    }

    private static JsonNode value(ToolResult result) {
        ToolError error = result.error();
        if (error != null)
            return JSON.stringNode(text(error) + notice(result));
        JsonNode output = result.output() == null ? JSON.nullNode() : result.output();
        if (result.status() != ResultStatus.PENDING)
            return result.notice() == null
                    ? output
                    : JSON.stringNode(output.asString(output.toString()) + notice(result));
        return JSON.stringNode((output.isNull() ? "" : output.asString(output.toString()) + "\n") + "Started, handle "
                + result.handle() + ". The result will be sent to you in a later message; do not call this tool again "
                + "for it.");
    }

    /// A value of JSON has no place for it, so an output with a notice is text.
    private static String notice(ToolResult result) {
        return result.notice() == null ? "" : "\nNOTICE: " + result.notice();
    }

    private static String text(ToolError error) {
        StringBuilder text = new StringBuilder("ERROR: ").append(error.message());
        text.append("\nCODE: ").append(error.code());
        if (error.suggestion() != null)
            text.append("\nSUGGESTION: ").append(error.suggestion());
        if (error.helpUrl() != null)
            text.append("\nHELP: ").append(error.helpUrl());
        if (error.code().equals("E_TOOL_INVALID_ARGS"))
            text.append('\n').append(RETRY);
        return text.toString();
    }
}
