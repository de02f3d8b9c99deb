package dev.toolfleet.worker.bridge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.Locale;

import dev.toolfleet.json.Digests;
import dev.toolfleet.mcp.protocol.ContentBlock;
import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.tools.args.HeldFolder;
import dev.toolfleet.worker.tools.args.WorkPaths;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writer of large binary blocks into the folder of a call's instance.
///
/// **Contract.** A file is named after the server and the digest of its bytes, so a call that runs again writes the same
/// file. Nothing outside of the folder is written, whatever links programs of the instance have put there.
///
/// @param server its name
/// @param workspace the root of the instances' folders
/// @param mostInline the largest number of bytes that stay in the block
record BlockFiles(String server, Path workspace, int mostInline) {
    private static final int DIGITS = 12;

    /// Returns the reply with a `resource_link` in the place of each block that is too large.
    ///
    /// @param workdir the folder of the call's instance
    /// @throws IOException if a file cannot be written
    McpReply without(McpReply reply, Path workdir) throws IOException {
        ArrayNode content = McpJson.array();
        for (JsonNode block : reply.content())
            content.add(replaced((ObjectNode) block, workdir));
        return new McpReply(content, reply.structured(), reply.isError(), reply.meta());
    }

    private ObjectNode replaced(ObjectNode json, Path workdir) throws IOException {
        // Four characters of base64 are three bytes.
        if (!(ContentBlock.of(json) instanceof ContentBlock.Binary block)
                || block.base64().length() / 4L * 3 <= mostInline)
            return json;
        byte[] bytes = block.bytes().orElse(null);
        if (bytes == null)
            return json;
        String name = "mcp-" + server + "-" + Digests.sha256(bytes).substring("sha256:".length()).substring(0, DIGITS)
                + extension(block.mimeType());
        write(bytes, name, workdir);
        return McpJson.object().put("type", "resource_link").put("uri", workdir.resolve(name).toUri().toString())
                .put("name", name).put("mimeType", block.mimeType()).put("size", bytes.length);
    }

    private static String extension(String mimeType) {
        String subtype = mimeType.substring(mimeType.indexOf('/') + 1).toLowerCase(Locale.ROOT);
        return switch (subtype) {
            case "jpeg" -> ".jpg";
            case "mpeg" -> ".mp3";
            case "svg+xml" -> ".svg";
            default -> subtype.matches("[a-z0-9]{1,8}") ? "." + subtype : ".bin";
        };
    }

    private void write(byte[] content, String name, Path workdir) throws IOException {
        WorkPaths paths = WorkPaths.of(workdir, workspace, false);
        try (HeldFolder folder = paths.hold(paths.root());
                SeekableByteChannel channel = folder.openOrCreate(Path.of(name), attributes -> {
                    if (!attributes.isRegularFile())
                        throw new ToolException("E_TOOL_RESULT_INVALID", "A file of the MCP server '" + server
                                + "' cannot be written: " + name + " is no file.");
                })) {
            channel.truncate(0);
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining())
                channel.write(bytes);
        }
    }
}
