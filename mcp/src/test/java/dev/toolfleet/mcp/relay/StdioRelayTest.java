package dev.toolfleet.mcp.relay;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.mcp.client.HttpServerAtFault;
import dev.toolfleet.mcp.client.HttpServerAtFault.Asked;
import dev.toolfleet.mcp.transport.HttpEndpoint;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class StdioRelayTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static final String ECHO = "[{\"name\": \"echo\", \"inputSchema\": {}}]";
    private static final String CALL = "{\"name\": \"echo\", \"arguments\": {}}";
    private static final String MODERN_CALL = """
            {"name": "echo", "arguments": {}, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
             "io.modelcontextprotocol/clientCapabilities": {}}}""".replace("\n", "");

    private static HttpServerAtFault legacy() throws IOException {
        return HttpServerAtFault.legacy("{\"tools\": {}}", ECHO);
    }

    private static String key(Asked asked) {
        return asked.message().path("params").path("_meta").path("dev.toolfleet/idempotencyKey").asString("");
    }

    /// Answers no request, as a server that dies.
    private static void cut(Asked asked) {
        asked.exchange().close();
    }

    @Test
    void bothErasPassThroughOneRelay() throws Exception {
        try (HttpServerAtFault server = legacy().on("tools/call", asked -> asked.result("{\"content\": []}"));
                RelayedClient client = new RelayedClient(server.endpoint(), PATIENCE)) {
            client.initialize();
            assertThat(client.ask(2, "tools/list", "{}").path("result").path("tools").size()).isEqualTo(1);
            assertThat(client.ask(3, "tools/call", MODERN_CALL).path("result").has("content")).isTrue();

            assertThat(server.received("tools/list").getFirst().header("Mcp-Session-Id")).isEqualTo("s1");
            Asked modern = server.received("tools/call").getFirst();
            assertThat(modern.header("Mcp-Name")).isEqualTo("echo");
            assertThat(modern.header("Mcp-Session-Id")).isEmpty();
            assertThat(modern.header("Authorization")).isEqualTo("Bearer t");
        }
    }

    @Test
    void aCallWhoseAnswerIsLostIsSentAgainWithItsKey() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (HttpServerAtFault server = legacy().on("tools/call", asked -> {
            if (calls.incrementAndGet() < 3)
                cut(asked);
            else
                asked.result("{\"content\": []}");
        }); RelayedClient client = new RelayedClient(server.endpoint(), PATIENCE)) {
            client.initialize();
            client.ask(2, "tools/call", CALL);
            client.ask(3, "tools/call", CALL);

            List<String> keys = server.received("tools/call").stream().map(StdioRelayTest::key).toList();
            assertThat(keys).hasSize(4);
            assertThat(keys.subList(0, 3)).containsOnly(keys.getFirst());
            assertThat(keys.get(3)).isNotEqualTo(keys.getFirst());
            assertThat(keys.getFirst()).isNotEmpty();
            assertThat(client.notices).singleElement().asString().contains("trying again");
        }
    }

    @Test
    void aKeyOfTheClientStays() throws Exception {
        try (HttpServerAtFault server = legacy().on("tools/call", asked -> asked.result("{\"content\": []}"));
                RelayedClient client = new RelayedClient(server.endpoint(), PATIENCE)) {
            client.initialize();
            client.ask(2, "tools/call",
                    "{\"name\": \"echo\", \"_meta\": {\"dev.toolfleet/idempotencyKey\": \"mine\"}}");

            assertThat(key(server.received("tools/call").getFirst())).isEqualTo("mine");
        }
    }

    @Test
    void whatMayNotRunTwiceEndsWithAnError() throws Exception {
        try (HttpServerAtFault server = legacy().on("tasks/update", StdioRelayTest::cut);
                RelayedClient client = new RelayedClient(server.endpoint(), PATIENCE)) {
            client.initialize();
            JsonNode answer = client.ask(2, "tasks/update", "{\"taskId\": \"1-1\"}");

            assertThat(answer.path("error").path("message").asString("")).contains("gave no answer to tasks/update");
            assertThat(server.received("tasks/update")).hasSize(1);
        }
    }

    @Test
    void anEndedSessionIsOpenedAgainWithoutTheClient() throws Exception {
        AtomicInteger sessions = new AtomicInteger();
        try (HttpServerAtFault server = legacy()) {
            server.on("initialize", asked -> {
                asked.exchange().getResponseHeaders().set("Mcp-Session-Id", "s" + sessions.incrementAndGet());
                asked.result("{\"protocolVersion\": \"2025-11-25\", \"capabilities\": {}}");
            }).on("tools/list", asked -> {
                if (asked.header("Mcp-Session-Id").equals("s1"))
                    asked.json(404, "");
                else
                    asked.result("{\"tools\": []}");
            });
            try (RelayedClient client = new RelayedClient(server.endpoint(), PATIENCE)) {
                client.initialize();
                assertThat(client.ask(2, "tools/list", "{}").has("result")).isTrue();

                assertThat(server.received("initialize")).hasSize(2)
                        .allSatisfy(each -> assertThat(each.message().path("params").path("clientInfo").path("name")
                                .asString("")).isEqualTo("test"));
                assertThat(client.lines.stream().filter(line -> line.path("id").asInt(-1) == 1)).hasSize(1);
            }
        }
    }

    /// Loses the first call, and the session with it.
    private static HttpServerAtFault losingItsSession() throws IOException {
        AtomicInteger sessions = new AtomicInteger();
        HttpServerAtFault server = legacy();
        return server.on("initialize", asked -> {
            asked.exchange().getResponseHeaders().set("Mcp-Session-Id", "s" + sessions.incrementAndGet());
            asked.result("{\"protocolVersion\": \"2025-11-25\", \"capabilities\": {}}");
        }).on("tools/call", asked -> {
            if (server.received("tools/call").size() == 1)
                cut(asked);
            else if (asked.header("Mcp-Session-Id").equals("s1"))
                asked.json(404, "");
            else
                asked.result("{\"content\": []}");
        });
    }

    @Test
    void aLostCallIsNotMadeInAnotherSession() throws Exception {
        try (HttpServerAtFault server = losingItsSession();
                RelayedClient client = new RelayedClient(server.endpoint(), PATIENCE)) {
            client.initialize();

            assertThat(client.ask(2, "tools/call", CALL).path("error").path("message").asString(""))
                    .contains("gave no answer to tools/call", "ended the session");
            assertThat(server.received("tools/call")).hasSize(2)
                    .allSatisfy(each -> assertThat(each.header("Mcp-Session-Id")).isEqualTo("s1"));
        }
    }

    @Test
    void aLostCallIsMadeInAnotherSessionIfItsKeyCountsThere() throws Exception {
        try (HttpServerAtFault server = losingItsSession();
                RelayedClient client = new RelayedClient(server.endpoint(), PATIENCE, true)) {
            client.initialize();

            assertThat(client.ask(2, "tools/call", CALL).has("result")).isTrue();
            assertThat(server.received("tools/call").stream().map(StdioRelayTest::key).distinct()).hasSize(1);
        }
    }

    @Test
    void anEndedSessionIsListenedToNoMore() throws Exception {
        try (HttpServerAtFault server = losingItsSession()) {
            server.on("GET", asked -> asked.json(503, ""));
            try (RelayedClient client = new RelayedClient(server.endpoint(), PATIENCE, true)) {
                client.initialize();
                client.ask(2, "tools/call", CALL);
                await().until(() -> server.received("GET").stream()
                        .filter(each -> each.header("Mcp-Session-Id").equals("s2")).count() >= 2);

                List<String> sessions = server.received("GET").stream().map(each -> each.header("Mcp-Session-Id"))
                        .toList();
                assertThat(sessions.subList(sessions.indexOf("s2"), sessions.size())).doesNotContain("s1");
            }
        }
    }

    @Test
    void aServerThatIsAwayIsWaitedForAndNotLonger() throws Exception {
        URI away;
        try (HttpServerAtFault server = legacy()) {
            away = server.uri();
        }
        try (RelayedClient client = new RelayedClient(HttpEndpoint.of(away, Map.of()), Duration.ofMillis(800))) {
            assertThat(client.ask(1, "tools/list", "{}").path("error").path("message").asString(""))
                    .contains("gave no answer to tools/list", away.toString());
        }
    }

    @Test
    void aModernCallIsCancelledByTheEndOfItsStream() throws Exception {
        CountDownLatch cut = new CountDownLatch(1);
        try (HttpServerAtFault server = new HttpServerAtFault().on("tools/call", asked -> {
            try (OutputStream stream = asked.events()) {
                while (!NEVER.await(10, TimeUnit.MILLISECONDS))
                    Asked.event(stream, ": here");
            } catch (IOException e) {
                cut.countDown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }); RelayedClient client = new RelayedClient(server.endpoint(), PATIENCE)) {
            client.send(
                    "{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"tools/call\", \"params\": " + MODERN_CALL + "}");
            await().until(() -> !server.received("tools/call").isEmpty());
            client.send(
                    "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": {\"requestId\": 7}}");

            assertThat(cut.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(server.received("tools/call")).hasSize(1);
        }
    }

    @Test
    void aCancellationOfAnOlderClientIsPassedOn() throws Exception {
        try (HttpServerAtFault server = legacy().on("tools/call", asked -> {
            try {
                NEVER.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }); RelayedClient client = new RelayedClient(server.endpoint(), PATIENCE)) {
            client.initialize();
            client.send("{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"tools/call\", \"params\": " + CALL + "}");
            await().until(() -> !server.received("tools/call").isEmpty());
            client.send(
                    "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": {\"requestId\": 7}}");

            await().untilAsserted(() -> assertThat(server.received("notifications/cancelled")).singleElement()
                    .satisfies(
                            each -> assertThat(each.message().path("params").path("requestId").asInt()).isEqualTo(7)));
        }
    }

    @Test
    void linesThatAreNoMessagesAreAnswered() throws Exception {
        try (HttpServerAtFault server = legacy();
                RelayedClient client = new RelayedClient(server.endpoint(), PATIENCE)) {
            client.send("nonsense");

            await().untilAsserted(() -> assertThat(client.lines).singleElement()
                    .satisfies(line -> assertThat(line.path("error").path("code").asInt()).isEqualTo(-32700)));
        }
    }

    @Test
    void aRefusalNamesItsReason() throws Exception {
        try (HttpServerAtFault server = legacy().on("tools/list",
                asked -> asked.json(401, "{\"detail\": \"no token\"}"));
                RelayedClient client = new RelayedClient(server.endpoint(), PATIENCE)) {
            client.initialize();

            assertThat(client.ask(2, "tools/list", "{}").path("error").path("message").asString(""))
                    .contains("HTTP 401", "no token");
        }
    }
}
