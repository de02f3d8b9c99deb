package dev.toolfleet.mcp.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.toolfleet.mcp.protocol.InputQuestions;
import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.protocol.TaskStatus;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcMessage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Conversations of both eras over pipes.
class StdioClientTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String ECHO = "[{\"name\": \"echo\", \"inputSchema\": {\"type\": \"object\"}}]";
    private static final ClientSettings SETTINGS = ClientSettings.of(new PeerInfo("test", "1")).waiting(LONG, LONG);

    private static McpClient open(StdioServer server, ClientSettings settings, ServerListener listener)
            throws McpException, InterruptedException {
        server.start();
        return McpClient.overStdio(server.output(), server.input(), settings, listener);
    }

    private static ServerOutcome call(McpClient client, ToolRequest request) throws InterruptedException {
        return client.call(request, ProgressListener.NONE).await(LONG);
    }

    private static ToolRequest echo() {
        return ToolRequest.of("echo", McpJson.object().put("text", "hi"));
    }

    @Test
    void aModernServerIsFoundByOneQuestion() throws Exception {
        try (StdioServer server = StdioServer.modern("{\"tools\": {}}", ECHO);
                McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
            assertThat(client.server().revision()).isEqualTo(Revision.V2026_07_28);
            assertThat(client.server().info()).isEqualTo(new PeerInfo("fake", "1"));
            assertThat(client.server().instructions()).isEqualTo("Be quick.");
            assertThat(client.tools().tools()).extracting(ToolDefinition::name).containsExactly("echo");
            assertThat(client.tools().timeToLive()).isEqualTo(Duration.ofSeconds(5));
            assertThat(server.requests("initialize")).isEmpty();
            assertThat(server.requests("server/discover")).hasSize(1);
            assertThat(server.requests("tools/list").getFirst().params().path("_meta")
                    .path("io.modelcontextprotocol/protocolVersion").asString()).isEqualTo("2026-07-28");
        }
    }

    @Test
    void anUnknownMethodLeadsToInitialize() throws Exception {
        try (StdioServer server = StdioServer.legacy("{\"tools\": {}}", ECHO);
                McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
            assertThat(client.server().revision()).isEqualTo(Revision.V2025_11_25);
            assertThat(client.server().era()).isEqualTo(EraChoice.LEGACY);
            await().until(() -> !server.notifications("notifications/initialized").isEmpty());
            assertThat(client.tools().tools()).hasSize(1);
            assertThat(server.requests("tools/list").getFirst().params().has("_meta")).isFalse();
        }
    }

    @Test
    void silenceLeadsToInitialize() throws Exception {
        try (StdioServer server = StdioServer.legacy("{\"tools\": {}}", ECHO).on("server/discover", silent -> {});
                McpClient client = open(server, SETTINGS.waiting(Duration.ofMillis(50), LONG), ServerListener.NONE)) {
            assertThat(client.server().revision()).isEqualTo(Revision.V2025_11_25);
        }
    }

    @Test
    void aKnownEraIsNotSoughtAgain() throws Exception {
        try (StdioServer server = StdioServer.legacy("{\"tools\": {}}", ECHO);
                McpClient client = open(server, SETTINGS.in(EraChoice.LEGACY), ServerListener.NONE)) {
            assertThat(client.isOpen()).isTrue();
            assertThat(server.requests("server/discover")).isEmpty();
        }
    }

    @Test
    void anOlderRevisionIsAccepted() throws Exception {
        try (StdioServer server = new StdioServer().answering("initialize",
                "{\"protocolVersion\": \"2024-11-05\", \"capabilities\": {}, \"serverInfo\": {\"name\": \"x\"}}");
                McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
            assertThat(client.server().revision()).isEqualTo(Revision.V2024_11_05);
        }
    }

    @Test
    void progressAndResultOfACallArrive() throws Exception {
        try (StdioServer server = StdioServer.modern("{\"tools\": {}}", ECHO)) {
            server.on("tools/call", request -> {
                String token = request.params().path("_meta").path("progressToken").asString();
                server.notification("notifications/progress", "{\"progressToken\": " + token
                        + ", \"progress\": 1, \"total\": 2, \"message\": \"half\"}");
                server.result(request, "{\"content\": [{\"type\": \"text\", \"text\": \"hi\"}], "
                        + "\"structuredContent\": {\"n\": 1}}");
            });
            List<ServerProgress> progress = new CopyOnWriteArrayList<>();
            try (McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
                ServerOutcome outcome = client.call(echo(), progress::add).await(LONG);

                assertThat(outcome).isInstanceOfSatisfying(ServerOutcome.Done.class, done -> {
                    assertThat(done.reply().isError()).isFalse();
                    assertThat(done.reply().structured()).isEqualTo(StdioServer.json("{\"n\": 1}"));
                });
                assertThat(progress).containsExactly(new ServerProgress(1, 2.0, "half"));
            }
        }
    }

    @Test
    void changesOfAModernServerAreReported() throws Exception {
        try (StdioServer server = StdioServer.modern("{\"tools\": {\"listChanged\": true}}", ECHO)) {
            server.on("subscriptions/listen", request -> {
                server.notification("notifications/subscriptions/acknowledged",
                        "{\"_meta\": {\"io.modelcontextprotocol/subscriptionId\": " + request.id().json() + "}}");
                server.notification("notifications/tools/list_changed", "{}");
            });
            RecordingListener listener = new RecordingListener();
            try (McpClient client = open(server, SETTINGS, listener)) {
                await().untilAsserted(() -> assertThat(listener.changes).hasPositiveValue());
                assertThat(client.isOpen()).isTrue();
            }
            assertThat(listener.closed).isEmpty();
        }
    }

    @Test
    void changesOfALegacyServerAreReported() throws Exception {
        RecordingListener listener = new RecordingListener();
        try (StdioServer server = StdioServer.legacy("{\"tools\": {\"listChanged\": true}}", ECHO);
                McpClient client = open(server, SETTINGS, listener)) {
            server.notification("notifications/tools/list_changed", "{}");
            await().untilAsserted(() -> assertThat(listener.changes).hasValue(1));
            assertThat(client.isOpen()).isTrue();
        }
    }

    @Test
    void aTaskOfTheExtensionIsReadAndCancelled() throws Exception {
        String task = "\"taskId\": \"t1\", \"createdAt\": \"2026-11-26T00:00:00Z\", "
                + "\"lastUpdatedAt\": \"2026-11-26T00:00:01Z\", \"ttlMs\": 60000, \"pollIntervalMs\": 500, ";
        try (StdioServer server = StdioServer.modern(
                "{\"tools\": {}, \"extensions\": {\"io.modelcontextprotocol/tasks\": {}}}", ECHO)
                .answering("tools/call", "{\"resultType\": \"task\", " + task + "\"status\": \"working\"}")
                .answering("tasks/get", "{" + task + "\"status\": \"completed\", \"result\": {\"content\": []}}")
                .answering("tasks/cancel", "{}");
                McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
            assertThat(client.server().hasTasks()).isTrue();
            assertThat(call(client, echo().allowingTask())).isInstanceOfSatisfying(ServerOutcome.Task.class, begun -> {
                assertThat(begun.task().status()).isEqualTo(TaskStatus.WORKING);
                assertThat(begun.task().pollInterval()).isEqualTo(Duration.ofMillis(500));
            });
            assertThat(client.task("t1").payload()).isInstanceOf(TaskSnapshot.Payload.Reply.class);
            client.cancelTask("t1");
            assertThat(server.requests("tasks/cancel")).hasSize(1);
            assertThat(server.requests("tools/call").getFirst().params().path("_meta")
                    .path("io.modelcontextprotocol/clientCapabilities").path("extensions")
                    .has("io.modelcontextprotocol/tasks")).isTrue();
        }
    }

    @Test
    void aTaskOfTheFirstGenerationIsReadWithItsResult() throws Exception {
        String task = "\"taskId\": \"t1\", \"createdAt\": \"2026-11-26T00:00:00Z\", \"ttl\": null, ";
        String tools = "[{\"name\": \"echo\", \"inputSchema\": {}, \"execution\": {\"taskSupport\": \"optional\"}}]";
        try (StdioServer server = StdioServer.legacy(
                "{\"tools\": {}, \"tasks\": {\"requests\": {\"tools\": {\"call\": {}}}}}", tools)
                .answering("tools/call", "{\"task\": {" + task + "\"status\": \"working\"}}")
                .answering("tasks/get", "{" + task + "\"status\": \"completed\"}")
                .answering("tasks/result", "{\"content\": [{\"type\": \"text\", \"text\": \"done\"}]}");
                McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
            client.tools();
            assertThat(call(client, echo().allowingTask())).isInstanceOf(ServerOutcome.Task.class);
            assertThat(client.task("t1").payload()).isEqualTo(
                    new TaskSnapshot.Payload.Reply(McpReply.text("done", false)));
            assertThat(server.requests("tools/call").getFirst().params().has("task")).isTrue();
        }
    }

    @Test
    void questionsOfAServerAreAnsweredByASecondRequest() throws Exception {
        try (StdioServer server = StdioServer.modern("{\"tools\": {}}", ECHO)) {
            server.on("tools/call", request -> server.result(request, request.params().has("inputResponses")
                    ? "{\"content\": []}"
                    : "{\"resultType\": \"input_required\", \"requestState\": \"s\", \"inputRequests\": {\"k\": "
                            + "{\"method\": \"elicitation/create\", \"params\": {\"message\": \"Sure?\"}}}}"));
            try (McpClient client = open(server, SETTINGS.answeringForms(), ServerListener.NONE)) {
                assertThat(call(client, echo())).isInstanceOfSatisfying(ServerOutcome.Input.class, input -> {
                    InputQuestions questions = input.questions();
                    assertThat(questions.text()).isEqualTo("Sure?");
                    assertThat(questions.state()).isEqualTo("s");
                });
                assertThat(call(client, echo().answering(StdioServer.json("{\"k\": {\"action\": \"accept\"}}"), "s")))
                        .isInstanceOf(ServerOutcome.Done.class);
                assertThat(server.requests("tools/call").getLast().params().path("requestState").asString())
                        .isEqualTo("s");
            }
        }
    }

    @Test
    void aLegacyServerReachesNeitherModelsNorPeople() throws Exception {
        try (StdioServer server = StdioServer.legacy("{\"tools\": {}}", ECHO);
                McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
            server.line("{\"jsonrpc\": \"2.0\", \"id\": \"p\", \"method\": \"ping\"}");
            server.line("{\"jsonrpc\": \"2.0\", \"id\": \"s\", \"method\": \"sampling/createMessage\"}");
            await().until(() -> server.received.stream().anyMatch(RpcMessage.Failure.class::isInstance));

            assertThat(server.received).filteredOn(RpcMessage.Result.class::isInstance).hasSize(1);
            assertThat(client.isOpen()).isTrue();
        }
    }

    @Test
    void fieldsForMetaTravelWithTheCall() throws Exception {
        try (StdioServer server = StdioServer.modern("{\"tools\": {}}", ECHO).answering("tools/call",
                "{\"content\": []}"); McpClient client = open(server, SETTINGS, ServerListener.NONE)) {
            call(client, echo().with(McpJson.object().put("dev.toolfleet/idempotencyKey", "k1"), Map.of()));

            assertThat(server.requests("tools/call").getFirst().params().path("_meta")
                    .path("dev.toolfleet/idempotencyKey").asString()).isEqualTo("k1");
        }
    }
}
