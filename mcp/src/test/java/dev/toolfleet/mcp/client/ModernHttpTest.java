package dev.toolfleet.mcp.client;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.transport.HttpEndpoint;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/// Streamable HTTP of 2026-07-28.
class ModernHttpTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String ECHO = "[{\"name\": \"echo\", \"inputSchema\": {\"properties\": "
            + "{\"city\": {\"type\": \"string\", \"x-mcp-header\": \"City\"}}}}]";
    private static final ClientSettings SETTINGS = ClientSettings.of(new PeerInfo("test", "1")).waiting(LONG, LONG);

    private static McpClient open(HttpServerAtFault server) throws McpException, InterruptedException {
        return McpClient.overHttp(server.endpoint(), SETTINGS, ServerListener.NONE);
    }

    private static ServerCall start(McpClient client) {
        return client.call(ToolRequest.of("echo", McpJson.object().put("city", "Köln")), ProgressListener.NONE);
    }

    @Test
    void headersRepeatTheBody() throws Exception {
        try (HttpServerAtFault server = HttpServerAtFault.modern("{\"tools\": {}}", ECHO).on("tools/call",
                asked -> asked.result("{\"content\": []}")); McpClient client = open(server)) {
            client.tools();

            assertThat(start(client).await(LONG)).isInstanceOf(ServerOutcome.Done.class);
            HttpServerAtFault.Asked call = server.received("tools/call").getFirst();
            assertThat(List.of(call.header("MCP-Protocol-Version"), call.header("Mcp-Method"), call.header("Mcp-Name"),
                    call.header("Mcp-Param-City"), call.header("Authorization")))
                    .containsExactly("2026-07-28", "tools/call", "echo", "=?base64?S8O2bG4=?=", "Bearer t");
            assertThat(server.received("initialize")).isEmpty();
        }
    }

    @Test
    void aServerThatRefusesTheRevisionThatItOffersIsAskedOnceMore() throws Exception {
        try (HttpServerAtFault server = HttpServerAtFault.modern("{\"tools\": {}}", ECHO)) {
            server.on("server/discover", asked -> {
                if (server.received("server/discover").size() == 1)
                    asked.json(400, "{\"jsonrpc\": \"2.0\", \"id\": " + asked.message().get("id")
                            + ", \"error\": {\"code\": -32022, \"message\": \"no\", \"data\": {\"supported\": "
                            + "[\"2026-07-28\"]}}}");
                else
                    asked.result("{\"supportedVersions\": [\"2026-07-28\"], \"capabilities\": {}}");
            });
            open(server).close();

            assertThat(server.received("server/discover")).hasSize(2);
        }
    }

    @Test
    void progressAndAnswerArriveOnOneStream() throws Exception {
        try (HttpServerAtFault server = HttpServerAtFault.modern("{\"tools\": {}}", ECHO)) {
            server.on("tools/call", asked -> {
                try (OutputStream stream = asked.events()) {
                    HttpServerAtFault.Asked.event(stream, ": keep-alive");
                    HttpServerAtFault.Asked.event(stream, "data: {\"jsonrpc\": \"2.0\", \"method\": "
                            + "\"notifications/progress\", \"params\": {\"progress\": 1, \"progressToken\": "
                            + asked.message().path("params").path("_meta").get("progressToken") + "}}");
                    HttpServerAtFault.Asked.event(stream, "data: {\"jsonrpc\": \"2.0\", \"id\": "
                            + asked.message().get("id") + ", \"result\": {\"content\": []}}");
                }
            });
            CountDownLatch progressed = new CountDownLatch(1);
            try (McpClient client = open(server)) {
                ServerCall call = client.call(ToolRequest.of("echo", McpJson.object()),
                        progress -> progressed.countDown());

                assertThat(call.await(LONG)).isInstanceOf(ServerOutcome.Done.class);
                progressed.await();
            }
        }
    }

    @Test
    void aCutStreamLeavesTheCallUnknownAndIsNotRepeated() throws Exception {
        try (HttpServerAtFault server = HttpServerAtFault.modern("{\"tools\": {}}", ECHO).on("tools/call", asked -> {
            try (OutputStream stream = asked.events()) {
                HttpServerAtFault.Asked.event(stream, "id: 1\ndata:");
            }
        }); McpClient client = open(server)) {
            ServerOutcome outcome = start(client).await(LONG);

            assertThat(outcome).isInstanceOf(ServerOutcome.Lost.class);
            assertThat(outcome.effect()).isEqualTo(ServerOutcome.Effect.UNKNOWN);
            assertThat(server.received("tools/call")).hasSize(1);
            assertThat(server.received("GET")).isEmpty();
        }
    }

    @Test
    void aConnectionThatDropsAfterTheRequestIsNotRepeated() throws Exception {
        try (HttpServerAtFault server = HttpServerAtFault.modern("{\"tools\": {}}", ECHO).on("tools/call",
                asked -> asked.exchange().close()); McpClient client = open(server)) {
            assertThat(start(client).await(LONG).effect()).isEqualTo(ServerOutcome.Effect.UNKNOWN);
            assertThat(server.received("tools/call")).hasSize(1);
        }
    }

    @Test
    void aRefusedConnectionMeansThatNothingHappened() throws Exception {
        try (HttpServerAtFault server = HttpServerAtFault.modern("{\"tools\": {}}", ECHO);
                McpClient client = open(server)) {
            server.die();

            assertThat(start(client).await(LONG)).isInstanceOf(ServerOutcome.NotSent.class);
        }
    }

    @Test
    void aServerThatIsNotThereIsNoLegacyServer() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertThatThrownBy(() -> McpClient.overHttp(
                HttpEndpoint.of(URI.create("http://127.0.0.1:" + port + "/mcp"), Map.of()), SETTINGS,
                ServerListener.NONE)).isInstanceOfSatisfying(McpException.class,
                        e -> assertThat(e.isNotSent()).isTrue())
                .hasMessageStartingWith("server/discover: ");
    }

    @Test
    void aMissingTokenIsReportedWithTheWayToOne() throws Exception {
        try (HttpServerAtFault server = new HttpServerAtFault().on("server/discover", asked -> {
            asked.exchange().getResponseHeaders().set("WWW-Authenticate", "Bearer resource_metadata=\"http://a/b\"");
            asked.json(401, "{\"error\": \"unauthorized\"}");
        })) {
            assertThatThrownBy(() -> open(server)).isInstanceOfSatisfying(McpException.class,
                    e -> assertThat(e.rejection().orElseThrow().headers()).containsEntry("www-authenticate",
                            "Bearer resource_metadata=\"http://a/b\""))
                    .hasMessageStartingWith("server/discover: HTTP 401");
            assertThat(server.received("initialize")).isEmpty();
        }
    }

    @Test
    void aDeadlineClosesTheStream() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        try (HttpServerAtFault server = HttpServerAtFault.modern("{\"tools\": {}}", ECHO).on("tools/call", asked -> {
            try (OutputStream stream = asked.events()) {
                while (true) {
                    HttpServerAtFault.Asked.event(stream, ": wait");
                    Thread.sleep(10);
                }
            } catch (IOException e) {
                closed.countDown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }); McpClient client = open(server)) {
            ServerCall call = start(client);
            await().until(() -> !server.received("tools/call").isEmpty());

            assertThat(call.await(Duration.ofMillis(20))).isInstanceOfSatisfying(ServerOutcome.Lost.class,
                    lost -> assertThat(lost.cause()).isEqualTo(ServerOutcome.Cause.DEADLINE));
            closed.await();
        }
    }

    @Test
    void aHeaderThatDoesNotFitIsSentAgainAfterTheListWasRead() throws Exception {
        try (HttpServerAtFault server = HttpServerAtFault.modern("{\"tools\": {}}", ECHO).on("tools/call",
                asked -> {
                    if (asked.header("Mcp-Param-City").isEmpty())
                        asked.error(400, -32020);
                    else
                        asked.result("{\"content\": []}");
                }); McpClient client = open(server)) {
            assertThat(start(client).await(LONG)).isInstanceOf(ServerOutcome.Done.class);
            assertThat(server.received("tools/call")).hasSize(2);
        }
    }

    @Test
    void aRedirectIsNotFollowed() throws Exception {
        try (HttpServerAtFault server = HttpServerAtFault.modern("{\"tools\": {}}", ECHO).on("tools/call", asked -> {
            asked.exchange().getResponseHeaders().set("Location", "/other");
            asked.json(307, "");
        }); McpClient client = open(server)) {
            assertThat(start(client).await(LONG)).isInstanceOfSatisfying(ServerOutcome.Rejected.class,
                    rejected -> assertThat(rejected.status()).isEqualTo(307));
            assertThat(server.received("tools/call")).hasSize(1);
        }
    }

    @Test
    void aFailureOfAProxyLeavesTheCallUnknown() throws Exception {
        try (HttpServerAtFault server = HttpServerAtFault.modern("{\"tools\": {}}", ECHO).on("tools/call",
                asked -> asked.json(502, "bad gateway")); McpClient client = open(server)) {
            assertThat(start(client).await(LONG).effect()).isEqualTo(ServerOutcome.Effect.UNKNOWN);
        }
    }

    @Test
    void anErrorOfALegacyServerLeadsToInitialize() throws Exception {
        try (HttpServerAtFault server = HttpServerAtFault.legacy("{\"tools\": {}}", ECHO)
                .on("server/discover", asked -> asked.error(400, -32600)); McpClient client = open(server)) {
            assertThat(client.server().revision()).isEqualTo(Revision.V2025_11_25);
        }
    }
}
