package dev.toolfleet.mcp.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.rpc.RpcId;
import dev.toolfleet.mcp.rpc.RpcLimits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/// Servers at fault, over pipes: each call ends, and its outcome states if the call may have happened.
class StdioFaultTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final int MEGABYTE = 1024 * 1024;
    private static final String ECHO = "[{\"name\": \"echo\", \"inputSchema\": {\"type\": \"object\"}}]";
    private static final ClientSettings SETTINGS = ClientSettings.of(new PeerInfo("test", "1")).waiting(LONG, LONG);

    private static McpClient open(StdioServer server, ClientSettings settings, ServerListener listener)
            throws McpException, InterruptedException {
        server.start();
        return McpClient.overStdio(server.output(), server.input(), settings, listener);
    }

    private static ServerCall start(McpClient client) {
        return client.call(ToolRequest.of("echo", McpJson.object()), ProgressListener.NONE);
    }

    @Test
    void aServerThatNeverAnswersIsGivenUp() throws Exception {
        try (StdioServer server = new StdioServer().on("server/discover", silent -> {})
                .on("initialize", silent -> {})) {
            assertThatThrownBy(() -> open(server, SETTINGS.waiting(SHORT, SHORT), ServerListener.NONE))
                    .isInstanceOf(McpException.class).hasMessageStartingWith("initialize: no answer within 50 ms");
            assertThat(server.requests("initialize")).hasSize(1);
        }
    }

    @Test
    void aServerThatEndsAtOnceIsGivenUp() throws Exception {
        try (StdioServer server = new StdioServer()) {
            server.on("server/discover", request -> server.die());
            assertThatThrownBy(() -> open(server, SETTINGS, ServerListener.NONE)).isInstanceOf(McpException.class)
                    .hasMessageContaining("server/discover: the server closed its output");
        }
    }

    @Test
    void aCallOfADyingServerMayHaveHappened() throws Exception {
        RecordingListener listener = new RecordingListener();
        try (StdioServer server = StdioServer.modern("{\"tools\": {}}", ECHO)) {
            server.on("tools/call", request -> server.die());
            try (McpClient client = open(server, SETTINGS, listener)) {
                ServerOutcome outcome = start(client).await(LONG);

                assertThat(outcome).isInstanceOf(ServerOutcome.Lost.class);
                assertThat(outcome.effect()).isEqualTo(ServerOutcome.Effect.UNKNOWN);
                await().untilAsserted(() -> assertThat(listener.closed).hasSize(1));
                assertThat(client.isOpen()).isFalse();
            }
        }
    }

    @Test
    void aCallAfterTheEndDidNotHappen() throws Exception {
        try (StdioServer server = StdioServer.modern("{\"tools\": {}}", ECHO);
                McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
            server.die();
            await().until(() -> !client.isOpen());

            ServerOutcome outcome = start(client).await(LONG);

            assertThat(outcome).isInstanceOf(ServerOutcome.NotSent.class);
            assertThat(outcome.effect()).isEqualTo(ServerOutcome.Effect.NONE);
        }
    }

    @Test
    void aCallThatWaitsForADeafServerDidNotHappen() throws Exception {
        try (StdioServer server = StdioServer.modern("{\"tools\": {}}", ECHO)) {
            server.on("tools/call", StdioFaultTest::hang);
            try (McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
                start(client);
                await().until(() -> !server.requests("tools/call").isEmpty());
                client.call(ToolRequest.of("echo", McpJson.object().put("text", "x".repeat(4 * MEGABYTE))),
                        ProgressListener.NONE);

                ServerOutcome outcome = start(client).await(SHORT);

                assertThat(outcome).isInstanceOfSatisfying(ServerOutcome.NotSent.class,
                        notSent -> assertThat(notSent.cause()).isEqualTo(ServerOutcome.Cause.DEADLINE));
            }
        }
    }

    @Test
    void aDeadlineCancelsTheCall() throws Exception {
        try (StdioServer server = StdioServer.modern("{\"tools\": {}}", ECHO).on("tools/call", silent -> {});
                McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
            ServerCall call = start(client);
            await().until(() -> !server.requests("tools/call").isEmpty());

            ServerOutcome outcome = call.await(SHORT);

            assertThat(outcome).isInstanceOfSatisfying(ServerOutcome.Lost.class,
                    lost -> assertThat(lost.cause()).isEqualTo(ServerOutcome.Cause.DEADLINE));
            await().untilAsserted(() -> assertThat(server.notifications("notifications/cancelled")).singleElement()
                    .satisfies(cancelled -> assertThat(RpcId.of(cancelled.params().get("requestId")))
                            .isEqualTo(server.requests("tools/call").getFirst().id())));
        }
    }

    @Test
    void anAnswerOfAHundredMegabytesEndsItsCallAlone() throws Exception {
        RpcLimits limits = new RpcLimits(8 * MEGABYTE, 100);
        try (StdioServer server = StdioServer.modern("{\"tools\": {}}", ECHO)) {
            server.on("tools/call", request -> {
                byte[] part = new byte[MEGABYTE];
                Arrays.fill(part, (byte) 'x');
                server.raw("{\"jsonrpc\": \"2.0\", \"result\": {\"content\": \"".getBytes(StandardCharsets.UTF_8));
                for (int i = 0; i < 100; i++)
                    server.raw(part);
                server.line("\"}, \"id\": " + request.id().json() + "}");
            });
            try (McpClient client = open(server, SETTINGS.within(limits), ServerListener.NONE)) {
                assertThat(start(client).await(LONG)).isInstanceOfSatisfying(ServerOutcome.Lost.class, lost -> {
                    assertThat(lost.cause()).isEqualTo(ServerOutcome.Cause.UNREADABLE);
                    assertThat(lost.reason()).contains("at most " + limits.maxBytes());
                });
                assertThat(client.tools().tools()).hasSize(1);
            }
        }
    }

    @Test
    void linesThatAreNoMessagesArePassedOver() throws Exception {
        try (StdioServer server = StdioServer.modern("{\"tools\": {}}", ECHO)) {
            server.on("tools/call", request -> {
                server.line("debug: called");
                server.line("{\"jsonrpc\": \"2.0\", \"id\":");
                server.line("[1, 2]");
                server.line("{\"jsonrpc\": \"2.0\", \"id\": 4711, \"result\": {}}");
                server.result(request, "{\"content\": []}");
            });
            try (McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
                assertThat(start(client).await(LONG)).isInstanceOf(ServerOutcome.Done.class);
            }
        }
    }

    @Test
    void aHundredFaultsEndTheConversation() throws Exception {
        RecordingListener listener = new RecordingListener();
        try (StdioServer server = StdioServer.modern("{\"tools\": {}}", ECHO)) {
            server.on("tools/call", request -> {
                for (int i = 0; i < Peer.MOST_FAULTS; i++)
                    server.line("no JSON");
            });
            try (McpClient client = open(server, SETTINGS, listener)) {
                assertThat(start(client).await(LONG)).isInstanceOf(ServerOutcome.Lost.class);
                await().untilAsserted(() -> assertThat(listener.closed).singleElement().asString()
                        .startsWith("the server sent 100 messages that cannot be read; the last: "));
            }
        }
    }

    @Test
    void aFloodOfNotificationsDelaysTheAnswerAndNothingElse() throws Exception {
        try (StdioServer server = StdioServer.modern("{\"tools\": {}}", ECHO)) {
            server.on("tools/call", request -> {
                for (int i = 0; i < 20_000; i++)
                    server.notification("notifications/message", "{\"level\": \"info\", \"data\": \"x\"}");
                server.result(request, "{\"content\": []}");
            });
            try (McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
                assertThat(start(client).await(LONG)).isInstanceOf(ServerOutcome.Done.class);
            }
        }
    }

    @Test
    void toolsThatBreakARuleAreNamedAndLeftOut() throws Exception {
        String tools = """
                [{"name": "a.b", "inputSchema": {"$ref": "http://example.com/schema.json"}},
                 {"name": "a.b", "inputSchema": {}}, {"name": "", "inputSchema": {}}, {"name": "bare"},
                 {"name": "header", "inputSchema": {"properties": {"p": {"type": "object", "x-mcp-header": "P"}}}}]
                """;
        try (StdioServer server = StdioServer.modern("{\"tools\": {}}", tools);
                McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
            ToolList list = client.tools();

            assertThat(list.tools()).extracting(ToolDefinition::name).containsExactly("a.b");
            assertThat(list.rejected()).extracting(ToolList.RejectedTool::name).containsExactly("a.b", "", "bare",
                    "header");
            assertThat(list.rejected().get(0).reason()).isEqualTo("the server has another tool of that name");
            assertThat(list.rejected().get(3).reason()).contains("no string, integer or boolean");
        }
    }

    @Test
    void aListWithoutAnEndIsGivenUp() throws Exception {
        try (StdioServer server = StdioServer.modern("{\"tools\": {}}", ECHO).answering("tools/list",
                "{\"tools\": [], \"nextCursor\": \"again\"}");
                McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
            assertThatThrownBy(client::tools).isInstanceOf(McpException.class)
                    .hasMessage("tools/list: the server gave the same cursor twice");
        }
    }

    @Test
    void anErrorOfTheProtocolStatesIfTheCallHappened() throws Exception {
        try (StdioServer server = StdioServer.modern("{\"tools\": {}}", ECHO)) {
            server.on("tools/call", request -> server.error(request, new RpcError(
                    server.requests("tools/call").size() == 1 ? RpcError.INVALID_PARAMS : RpcError.INTERNAL, "no")));
            try (McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
                assertThat(start(client).await(LONG).effect()).isEqualTo(ServerOutcome.Effect.NONE);
                assertThat(start(client).await(LONG).effect()).isEqualTo(ServerOutcome.Effect.UNKNOWN);
            }
        }
    }

    @Test
    void aThousandConnectionsLeaveNoThread() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            try (StdioServer server = StdioServer.modern("{\"tools\": {\"listChanged\": true}}", ECHO)
                    .on("subscriptions/listen", silent -> {});
                    McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
                assertThat(client.isOpen()).isTrue();
            }
        }
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
                .doesNotContain("mcp-read", "mcp-write", "fake-server"));
    }

    private static void hang(Object request) {
        try {
            Thread.sleep(Duration.ofDays(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
