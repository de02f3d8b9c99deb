package dev.toolfleet.mcp.client;

import java.io.OutputStream;
import java.time.Duration;

import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.rpc.McpJson;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Streamable HTTP of the revisions with sessions.
class LegacyHttpTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String ECHO = "[{\"name\": \"echo\", \"inputSchema\": {}}]";
    private static final ClientSettings SETTINGS = ClientSettings.of(new PeerInfo("test", "1")).waiting(LONG, LONG);

    private static McpClient open(HttpServerAtFault server, ServerListener listener)
            throws McpException, InterruptedException {
        return McpClient.overHttp(server.endpoint(), SETTINGS, listener);
    }

    private static ServerCall start(McpClient client) {
        return client.call(ToolRequest.of("echo", McpJson.object()), ProgressListener.NONE);
    }

    @Test
    void theSessionTravelsWithEachRequestAndIsEnded() throws Exception {
        try (HttpServerAtFault server = HttpServerAtFault.legacy("{\"tools\": {}}", ECHO)) {
            try (McpClient client = open(server, ServerListener.NONE)) {
                assertThat(client.server().revision()).isEqualTo(Revision.V2025_11_25);
                client.tools();
            }
            HttpServerAtFault.Asked list = server.received("tools/list").getFirst();
            assertThat(list.header("Mcp-Session-Id")).isEqualTo("s1");
            assertThat(list.header("MCP-Protocol-Version")).isEqualTo("2025-11-25");
            assertThat(server.received("DELETE")).singleElement()
                    .satisfies(end -> assertThat(end.header("Mcp-Session-Id")).isEqualTo("s1"));
        }
    }

    @Test
    void aCutStreamIsResumedBehindItsLastEvent() throws Exception {
        try (HttpServerAtFault server = HttpServerAtFault.legacy("{\"tools\": {}}", ECHO)) {
            server.on("tools/call", asked -> {
                try (OutputStream stream = asked.events()) {
                    HttpServerAtFault.Asked.event(stream, "id: e7\nretry: 1\ndata: {\"jsonrpc\": \"2.0\", "
                            + "\"method\": \"notifications/message\"}");
                }
            }).on("GET", asked -> {
                String id = server.received("tools/call").getFirst().message().get("id").toString();
                try (OutputStream stream = asked.events()) {
                    HttpServerAtFault.Asked.event(stream, "id: e8\ndata: {\"jsonrpc\": \"2.0\", \"id\": " + id
                            + ", \"result\": {\"content\": [{\"type\": \"text\", \"text\": \"late\"}]}}");
                }
            });
            try (McpClient client = open(server, ServerListener.NONE)) {
                assertThat(start(client).await(LONG))
                        .isEqualTo(new ServerOutcome.Done(McpReply.text("late", false)));
                assertThat(server.received("GET").getFirst().header("Last-Event-ID")).isEqualTo("e7");
                assertThat(server.received("tools/call")).hasSize(1);
            }
        }
    }

    @Test
    void anEndedSessionDidNothingAndEndsTheConnection() throws Exception {
        RecordingListener listener = new RecordingListener();
        try (HttpServerAtFault server = HttpServerAtFault.legacy("{\"tools\": {}}", ECHO).on("tools/call",
                asked -> asked.json(404, "")); McpClient client = open(server, listener)) {
            ServerOutcome outcome = start(client).await(LONG);

            assertThat(outcome).isEqualTo(new ServerOutcome.NotSent(ServerOutcome.Cause.SESSION,
                    "the server has ended the session"));
            await().untilAsserted(() -> assertThat(listener.closed).hasSize(1));
        }
    }

    @Test
    void changesArriveOnTheStreamOfTheSession() throws Exception {
        RecordingListener listener = new RecordingListener();
        try (HttpServerAtFault server = HttpServerAtFault.legacy("{\"tools\": {\"listChanged\": true}}", ECHO)
                .on("GET", asked -> {
                    try (OutputStream stream = asked.events()) {
                        HttpServerAtFault.Asked.event(stream, "data: {\"jsonrpc\": \"2.0\", \"method\": "
                                + "\"notifications/tools/list_changed\"}");
                    }
                }); McpClient client = open(server, listener)) {
            await().untilAsserted(() -> assertThat(listener.changes).hasPositiveValue());
            assertThat(client.isOpen()).isTrue();
        }
    }

    @Test
    void aDeadlineIsSentAsCancellation() throws Exception {
        try (HttpServerAtFault server = HttpServerAtFault.legacy("{\"tools\": {}}", ECHO).on("tools/call", asked -> {
            try {
                Thread.sleep(Duration.ofDays(1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }); McpClient client = open(server, ServerListener.NONE)) {
            ServerCall call = start(client);
            await().until(() -> !server.received("tools/call").isEmpty());

            assertThat(call.await(Duration.ofMillis(20))).isInstanceOf(ServerOutcome.Lost.class);
            await().untilAsserted(() -> assertThat(server.received("notifications/cancelled")).hasSize(1));
        }
    }
}
