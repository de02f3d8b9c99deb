package dev.toolfleet.worker.bridge;

import java.util.List;

import dev.toolfleet.mcp.protocol.ContentBlock;
import dev.toolfleet.mcp.protocol.McpReply;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.StringNode;

/// Output of a tool, from a server's reply: the structured value if there is one, the text of a single block of text,
/// and otherwise `{content: [blocks]}`, the blocks as MCP has them. Pure.
final class ReplyOutput {
    private ReplyOutput() {}

    static JsonNode of(McpReply reply) {
        JsonNode structured = reply.structured();
        if (structured != null)
            return structured;
        List<ContentBlock> blocks = reply.blocks();
        if (blocks.size() == 1 && blocks.getFirst() instanceof ContentBlock.Text(String text, var _))
            return StringNode.valueOf(text);
        return JsonNodeFactory.instance.objectNode().set("content", reply.content());
    }
}
