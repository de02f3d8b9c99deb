package dev.toolfleet.worker.bridge;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.rpc.McpJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BlockFilesTest {
    private static final byte[] BYTES = new byte[3_000];

    @TempDir
    private Path folder = Path.of(".");

    private static McpReply image(byte[] bytes) {
        ObjectNode block = McpJson.object().put("type", "image").put("mimeType", "image/jpeg").put("data",
                Base64.getEncoder().encodeToString(bytes));
        return new McpReply(McpJson.array().add(block), null, false, McpJson.object());
    }

    private ObjectNode written(int mostInline) throws Exception {
        Path workdir = Files.createDirectories(folder.resolve("i1"));
        return (ObjectNode) new BlockFiles("sky", folder, mostInline).without(image(BYTES), workdir).content().get(0);
    }

    @Test
    void aLargeBlockIsAFileOfTheInstance() throws Exception {
        ObjectNode link = written(2_999);

        assertThat(link.path("type").stringValue("")).isEqualTo("resource_link");
        assertThat(link.path("size").asInt()).isEqualTo(3_000);
        String name = link.path("name").stringValue("");
        assertThat(name).matches("mcp-sky-[0-9a-f]{12}\\.jpg");
        assertThat(folder.resolve("i1").resolve(name)).hasBinaryContent(BYTES);
        assertThat(written(2_999)).isEqualTo(link);
    }

    @Test
    void aSmallBlockStays() throws Exception {
        assertThat(written(3_000).path("type").stringValue("")).isEqualTo("image");
    }

    @Test
    void aLinkInTheFilesPlaceIsNotFollowed() throws Exception {
        String name = written(0).path("name").stringValue("");
        Path outside = Files.writeString(folder.resolve("outside"), "mine");
        Files.delete(folder.resolve("i1").resolve(name));
        Files.createSymbolicLink(folder.resolve("i1").resolve(name), outside);

        assertThatThrownBy(() -> written(0)).hasMessageContaining(name);
        assertThat(outside).hasContent("mine");
    }
}
