package dev.toolfleet.gateway.rest;

import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.json.Json;
import dev.toolfleet.mcp.protocol.ContentBlock;
import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Results of calls as MCP clients get them. Pure.
final class McpReplies {
    private static final String CALL = "dev.toolfleet/callId";
    private static final String REPLAYED = "dev.toolfleet/replayed";

    private McpReplies() {}

    /// Returns the reply of a result.
    ///
    /// @param result pending or final; null for a call without one yet
    /// @param promisesOutput true if the tool lists an outputSchema: clients refuse a success that has no such output
    static McpReply of(CallId id, @Nullable ToolResult result, boolean promisesOutput) {
        if (result == null || !result.isFinal())
            return named(id, waiting(id, result, promisesOutput), false);
        ToolError error = result.error();
        if (result.status() == ResultStatus.ERROR && error != null)
            return named(id, noticed(failure(error), result.notice()), result.replayed());
        return named(id, noticed(success(result.output()), result.notice()), result.replayed());
    }

    /// Adds a notice as a block of its own: a structured value stays as its schema has it.
    private static McpReply noticed(McpReply reply, @Nullable String notice) {
        if (notice == null)
            return reply;
        ArrayNode content = reply.content().deepCopy();
        content.addObject().put("type", "text").put("text", notice);
        return new McpReply(content, reply.structured(), reply.isError(), reply.meta());
    }

    private static McpReply success(@Nullable JsonNode output) {
        if (output == null || output.isNull())
            return McpReply.text("done, without output", false);
        if (hasBlocks(output))
            return McpReply.of(output);
        if (output.isString())
            return new McpReply(McpReply.text(output.stringValue(), false).content(), output, false,
                    Json.MAPPER.createObjectNode());
        return McpReply.value(output);
    }

    /// True for an output that is content of MCP: that of a bridged server, or of a tool that makes images.
    private static boolean hasBlocks(JsonNode output) {
        if (output.size() != 1 || !(output.path("content") instanceof ArrayNode blocks) || blocks.isEmpty())
            return false;
        for (JsonNode block : blocks) {
            if (!(block instanceof ObjectNode object) || ContentBlock.of(object) instanceof ContentBlock.Other)
                return false;
        }
        return true;
    }

    private static McpReply failure(ToolError error) {
        String suggestion = error.suggestion();
        return McpReply.text(error.code() + ": " + error.message()
                + (suggestion == null || suggestion.isEmpty() ? "" : "\n" + suggestion), true);
    }

    private static McpReply waiting(CallId id, @Nullable ToolResult pending, boolean promisesOutput) {
        StringBuilder text = new StringBuilder("The call " + id + " has no result yet");
        if (pending != null) {
            text.append(": it waits for work elsewhere or for a person");
            JsonNode note = pending.output();
            if (note != null && !note.isNull())
                text.append(", and reports ").append(note);
        }
        text.append(". Do not call the tool again. Call ").append(McpAwait.NAME).append(" with {\"call\": \"")
                .append(id).append("\"} to wait for its result.");
        return McpReply.text(text.toString(), promisesOutput);
    }

    private static McpReply named(CallId id, McpReply reply, boolean replayed) {
        ObjectNode meta = reply.meta().deepCopy().put(CALL, id.toString());
        if (replayed)
            meta.put(REPLAYED, true);
        return new McpReply(reply.content(), reply.structured(), reply.isError(), meta);
    }
}
