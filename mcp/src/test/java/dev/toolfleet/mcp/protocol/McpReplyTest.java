package dev.toolfleet.mcp.protocol;

import java.util.List;

import dev.toolfleet.mcp.rpc.McpJson;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class McpReplyTest {
    private static JsonNode json(String text) {
        return JsonMapper.builder().build().readTree(text.replace('\'', '"'));
    }

    @Test
    void aStructuredValueFitsItsRevision() {
        McpReply reply = McpReply.value(McpJson.array().add(1));

        assertThat(reply.json(Revision.V2026_07_28).get("structuredContent")).isEqualTo(json("[1]"));
        assertThat(reply.json(Revision.V2025_11_25).get("structuredContent")).isEqualTo(json("{'result': [1]}"));
        assertThat(reply.json(Revision.V2025_03_26).has("structuredContent")).isFalse();
        assertThat(reply.json(Revision.V2025_03_26).get("content"))
                .isEqualTo(json("[{'type': 'text', 'text': '[1]'}]"));
    }

    @Test
    void blocksAreReadByKind() {
        McpReply reply = McpReply.of(json("{'isError': true, 'content': [{'type': 'text', 'text': 'a'}, "
                + "{'type': 'image', 'data': 'AQI=', 'mimeType': 'image/png'}, {'type': 'resource_link', 'uri': 'u:1'}, "
                + "{'type': 'resource', 'resource': {'uri': 'u:2', 'text': 'b'}}, "
                + "{'type': 'resource', 'resource': {'uri': 'u:3', 'blob': 'AQI='}}, {'type': 'hologram'}, 7]}"));

        List<ContentBlock> blocks = reply.blocks();

        assertThat(reply.isError()).isTrue();
        assertThat(blocks).hasSize(6);
        assertThat(blocks.get(0)).isInstanceOf(ContentBlock.Text.class);
        assertThat(blocks.get(1)).isInstanceOfSatisfying(ContentBlock.Binary.class,
                image -> assertThat(image.bytes()).hasValue(new byte[]{1, 2}));
        assertThat(blocks.get(2)).isInstanceOf(ContentBlock.Link.class);
        assertThat(blocks.get(3)).isInstanceOf(ContentBlock.Document.class);
        assertThat(blocks.get(4)).isInstanceOfSatisfying(ContentBlock.Binary.class,
                blob -> assertThat(blob.uri()).isEqualTo("u:3"));
        assertThat(blocks.get(5)).isInstanceOf(ContentBlock.Other.class);
    }

    @Test
    void aTaskIsWrittenAsItWasRead() {
        JsonNode task = json("{'taskId': 't', 'status': 'failed', 'statusMessage': 'm', "
                + "'createdAt': '2026-11-26T00:00:00Z', 'lastUpdatedAt': '2026-11-26T00:00:01Z', 'ttlMs': null, "
                + "'pollIntervalMs': 500, 'error': {'code': -32603, 'message': 'no'}}");

        assertThat(TaskSnapshot.of(task).orElseThrow().json(true).toString()).isEqualTo(json(
                "{'taskId': 't', 'status': 'failed', 'statusMessage': 'm', 'createdAt': '2026-11-26T00:00:00Z', "
                        + "'lastUpdatedAt': '2026-11-26T00:00:01Z', 'ttlMs': null, 'pollIntervalMs': 500, "
                        + "'error': {'code': -32603, 'message': 'no'}}")
                .toString());
        assertThat(TaskSnapshot.of(json("{'taskId': 't', 'status': 'odd'}"))).isEmpty();
    }
}
