package dev.toolfleet.mcp.protocol;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.mcp.rpc.McpJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Result of a tool call.
///
/// @param content the blocks for the model, each an object with a `type`
/// @param structured the value for programs; null for none
/// @param isError true if the tool failed in a way that the model can react to
/// @param meta the `_meta` of the result; empty for none
public record McpReply(ArrayNode content, @Nullable JsonNode structured, boolean isError, ObjectNode meta) {
    /// A result of one block of text.
    public static McpReply text(String text, boolean isError) {
        return new McpReply(McpJson.array().add(McpJson.object().put("type", "text").put("text", text)), null,
                isError, McpJson.object());
    }

    /// A result of one value, whose JSON is its text too.
    public static McpReply value(JsonNode value) {
        return new McpReply(McpJson.array().add(McpJson.object().put("type", "text").put("text", value.toString())),
                value, false, McpJson.object());
    }

    /// Reads a result. Blocks without a type are left out; a missing `content` is empty.
    public static McpReply of(JsonNode json) {
        ArrayNode content = McpJson.array();
        for (JsonNode block : json.path("content")) {
            if (block.isObject() && block.path("type").isString())
                content.add(block);
        }
        JsonNode meta = json.path(Meta.FIELD);
        return new McpReply(content, json.get("structuredContent"), json.path("isError").booleanValue(false),
                meta.isObject() ? (ObjectNode) meta : McpJson.object());
    }

    /// Returns the blocks by kind.
    public List<ContentBlock> blocks() {
        List<ContentBlock> blocks = new ArrayList<>();
        content.forEach(block -> blocks.add(ContentBlock.of((ObjectNode) block)));
        return blocks;
    }

    /// Returns it as a result of that revision. Before 2026-07-28 a structured value that is no object becomes
    /// `{"result": …}`, and before 2025-06-18 there is none.
    public ObjectNode json(Revision revision) {
        ObjectNode json = McpJson.object();
        json.set("content", content);
        if (structured != null && revision.isAtLeast(Revision.V2025_06_18)) {
            boolean fits = structured.isObject() || revision.isModern();
            json.set("structuredContent", fits ? structured : McpJson.object().set("result", structured));
        }
        if (isError)
            json.put("isError", true);
        if (!meta.isEmpty())
            json.set(Meta.FIELD, meta.deepCopy());
        return json;
    }
}
