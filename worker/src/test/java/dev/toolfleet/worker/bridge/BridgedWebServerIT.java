package dev.toolfleet.worker.bridge;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.toolfleet.json.Json;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.Authorized;
import dev.toolfleet.tool.TokenAnswer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// A server of 2026-07-28 over HTTP, which comes, goes and refuses.
class BridgedWebServerIT {
    @TempDir
    private Path folder = Path.of(".");
    private Bridge bridge = new Bridge(Path.of("target"));
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile int status = 200;
    private volatile boolean cuts;
    private int port;
    private HttpServer server = start(0);

    BridgedWebServerIT() throws IOException {}

    private HttpServer start(int where) throws IOException {
        HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), where), 0);
        made.createContext("/mcp", this::serve);
        made.start();
        port = made.getAddress().getPort();
        return made;
    }

    private void serve(HttpExchange exchange) throws IOException {
        JsonNode request = Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes());
        String method = request.path("method").stringValue("");
        String result = switch (method) {
            case "server/discover" ->
                "{\"supportedVersions\": [\"2026-07-28\"], \"capabilities\": {\"tools\": {}}}";
            case "tools/list" -> "{\"tools\": [{\"name\": \"look\", \"inputSchema\": {\"type\": \"object\"}}]}";
            case "tools/call" -> "{\"content\": [{\"type\": \"text\", \"text\": \"call "
                    + calls.incrementAndGet() + "\"}]}";
            default -> "{}";
        };
        boolean call = method.equals("tools/call");
        authorizations.add(method + " " + exchange.getRequestHeaders().getFirst("Authorization"));
        if (call)
            keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key")));
        if (call && cuts) {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 1_000);
            exchange.close();
            return;
        }
        byte[] body = ("{\"jsonrpc\": \"2.0\", \"id\": " + request.path("id") + ", \"result\": " + result + "}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(call ? status : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @BeforeEach
    void open() {
        bridge.close();
        bridge = new Bridge(folder.resolve("workspace"));
    }

    @AfterEach
    void close() {
        bridge.close();
        server.stop(0);
    }

    private Bridge.Use use() {
        return bridge.use("sky", entry()).awaitTools("sky__look");
    }

    private ObjectNode entry() {
        return Json.MAPPER.createObjectNode().put("url", "http://127.0.0.1:" + port + "/mcp");
    }

    @Test
    void aCallCarriesItsIdempotencyKey() throws Exception {
        Bridge.Use use = use();
        try (FakeToolContext ctx = FakeToolContext.create()) {
            assertThat(use.call("sky__look", "{}", ctx)).isEqualTo(StringNode.valueOf("call 1"));
            assertThat(keys).containsExactly('"' + ctx.idempotencyKey() + '"');
        }
    }

    @Test
    void aCallActsForItsUserAndTheWorkersOwnRequestsDoNot() throws Exception {
        ObjectNode entry = entry();
        entry.putObject("headers").put("Authorization", "Bearer worker");
        entry.putObject("auth").put("oauthApp", "sky").putArray("scopes").add("look");
        Bridge.Use use = bridge.use("sky", entry).awaitTools("sky__look");
        PublishedTools.Published look = use.tools().tool("sky__look");
        assertThat(look.declaration().export().path("auth")).hasToString(
                "{\"oauthAppRef\":\"OAuthApp/sky\",\"scopes\":[\"look\"]}");
        assertThat(use.failure("sky__look").code()).isEqualTo("E_MCP_UNAUTHORIZED");

        Authorized module = (Authorized) look.module();
        module.tokens((context, minTtl, scopes) -> new TokenAnswer.Required("as-1", "https://x.example/a", null,
                Instant.EPOCH, "Open it."));
        assertThat(use.failure("sky__look")).hasMessageContaining("https://x.example/a");
        assertThat(calls).hasValue(0);
        module.tokens((context, minTtl, scopes) -> new TokenAnswer.Ready("of-ann", "bearer", null, List.of()));
        assertThat(use.call("sky__look", "{}")).isEqualTo(StringNode.valueOf("call 1"));

        assertThat(authorizations).contains("tools/call Bearer of-ann", "tools/list Bearer worker")
                .doesNotContain("tools/call Bearer worker", "tools/list Bearer of-ann");
    }

    @Test
    void aCallWaitsForAServerThatRefusesTheConnectionAndIsMadeOnce() throws Exception {
        Bridge.Use use = use();
        server.stop(0);
        FutureTask<HttpServer> back = new FutureTask<>(() -> {
            while (bridge.pool.starts() < 2)
                Thread.onSpinWait();
            return start(port);
        });
        Thread.ofPlatform().start(back);
        try (FakeToolContext ctx = FakeToolContext.create().deadlineIn(Duration.ofMinutes(1))) {
            assertThat(use.call("sky__look", "{}", ctx)).isEqualTo(StringNode.valueOf("call 1"));
        }
        server = back.get();
        assertThat(calls).hasValue(1);
    }

    @Test
    void aCallWhoseServerStaysAwayEndsAtItsDeadlineAndNothingHappened() {
        Bridge.Use use = use();
        PublishedTools.Published look = use.tools().tool("sky__look");
        server.stop(0);
        try (FakeToolContext ctx = FakeToolContext.create().deadlineIn(Duration.ofSeconds(1))) {
            assertThat(org.assertj.core.api.Assertions.catchThrowableOfType(dev.toolfleet.tool.ToolException.class,
                    () -> look.handler().handle(ctx, Json.MAPPER.createObjectNode()))).hasMessageContaining("'sky'")
                    .extracting("code").isEqualTo("E_MCP_SERVER_DOWN");
        }
    }

    @Test
    void anAnswerThatBreaksOffLeavesTheOutcomeUnknown() {
        Bridge.Use use = use();
        cuts = true;

        assertThat(use.failure("sky__look")).hasMessageContaining("'sky'").extracting("code")
                .isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
        assertThat(calls).hasValue(1);
    }

    @Test
    void aReadOnlyCallIsMadeASecondTimeWithTheSameKey() {
        ObjectNode entry = entry();
        entry.putObject("defaults").put("readOnly", true);
        Bridge.Use use = bridge.use("sky", entry).awaitTools("sky__look");
        cuts = true;

        assertThat(use.failure("sky__look").code()).isEqualTo("E_MCP_SERVER_DOWN");
        assertThat(keys).hasSize(2);
        assertThat(keys.getFirst()).isEqualTo(keys.getLast());
    }

    @Test
    void aRefusalOfTheCredentialsIsNamed() {
        Bridge.Use use = use();
        status = 401;

        assertThat(use.failure("sky__look")).hasMessageContaining("HTTP 401").extracting("code")
                .isEqualTo("E_MCP_ERROR");
    }

    @Test
    void aServerThatComesLaterIsFound() throws Exception {
        server.stop(0);
        Bridge.Use use = bridge.use("sky", entry());
        await().until(() -> bridge.pool.starts() > 1);
        server = start(port);

        use.awaitTools("sky__look");
    }
}
