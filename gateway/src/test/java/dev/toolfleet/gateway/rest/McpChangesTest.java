package dev.toolfleet.gateway.rest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// Clients that listen learn what has changed.
@Timeout(60)
class McpChangesTest {
    private static final String PATH = "/mcp/agents/coder";
    private static final String TASKS = "{'extensions':{'io.modelcontextprotocol/tasks':{}}}";

    private final MemoryFleet fleet = McpTestClient.fleet();
    private final TestGateway gateway = new TestGateway(fleet, fleet.calls);
    private final McpTestClient client = new McpTestClient(gateway, TASKS);

    @AfterEach
    void stop() {
        gateway.close();
    }

    /// Stream of events.
    private record Events(BufferedReader lines) implements AutoCloseable {
        JsonNode next() throws IOException {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("data: ") && line.length() > "data: ".length())
                    return Json.MAPPER.readTree(line.substring("data: ".length()));
            }
            return Json.MAPPER.createObjectNode();
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    private Events open(HttpRequest request) throws IOException, InterruptedException {
        var answer = gateway.client().send(request, BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        return new Events(new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8)));
    }

    private Events listen(String wish) throws IOException, InterruptedException {
        String params = "'notifications':{" + wish + "}";
        return open(gateway.request(PATH, McpTestClient.headers("subscriptions/listen", params))
                .POST(BodyPublishers.ofString(client.body("subscriptions/listen", params))).build());
    }

    /// Changes the catalog and the declarations, in the order in which a fleet does.
    private void change() {
        gateway.lists().apply("more", MemoryLists.tool("more", "readOnly", "look"));
        fleet.change(McpTestClient.item("look"), "sha256:01");
    }

    @Test
    void changedListIsReportedOnceAndListedAnew() throws Exception {
        client.modern(PATH, "tools/list", "");
        try (Events events = listen("'toolsListChanged':true")) {
            assertThat(events.next().path("method").asString()).isEqualTo("notifications/subscriptions/acknowledged");
            change();

            assertThat(events.next().path("method").asString()).isEqualTo("notifications/tools/list_changed");
        }
        assertThat(McpTestClient.result(client.modern(PATH, "tools/list", "")).path("tools")
                .findValuesAsString("name")).contains("look");
    }

    @Test
    void changeSinceTheListWasShownIsReported() throws Exception {
        client.modern(PATH, "tools/list", "");
        change();

        try (Events events = listen("'toolsListChanged':true")) {
            events.next();
            assertThat(events.next().path("method").asString()).isEqualTo("notifications/tools/list_changed");
        }
    }

    @Test
    void sessionListensByGet() throws Exception {
        String session = TestGateway.header(client.legacy(PATH, "'id':0,'method':'initialize','params':"
                + "{'protocolVersion':'2025-06-18','capabilities':{},'clientInfo':{'name':'c','version':'1'}}"),
                "Mcp-Session-Id");
        try (Events events = open(gateway.request(PATH, "Accept", "text/event-stream", "Mcp-Session-Id", session)
                .GET().build())) {
            fleet.awaitSteps(1);
            change();

            assertThat(events.next().path("method").asString()).isEqualTo("notifications/tools/list_changed");
        }
        HttpResponse<String> ended = gateway.send(gateway.request(PATH, "Mcp-Session-Id", session).DELETE());
        assertThat(ended.statusCode()).isEqualTo(200);
        assertThat(gateway.send(gateway.request(PATH).DELETE()).statusCode()).isEqualTo(405);
        assertThat(client.get(PATH, "Accept", "text/event-stream").statusCode()).isEqualTo(405);
        assertThat(client.get(PATH, "Accept", "text/event-stream", "Mcp-Session-Id", "made-up").statusCode())
                .isEqualTo(404);
    }

    @Test
    void taskIsFollowedToItsEnd() throws Exception {
        fleet.answering(_ -> null);
        client.modern(PATH, "tools/call", "'name':'t__write'");
        try (Events events = listen("'taskIds':['0-0','0-9']")) {
            events.next();
            JsonNode working = events.next();
            fleet.calls.progress(new CallId(0, 0), "half");
            JsonNode half = events.next();
            fleet.calls.result(new CallId(0, 0), MemoryFleet.ok(fleet.run.getFirst(), 0));
            JsonNode ended = events.next();

            assertThat(working.path("method").asString()).isEqualTo("notifications/tasks");
            assertThat(working.at("/params/status").asString()).isEqualTo("working");
            assertThat(half.at("/params/statusMessage").asString()).isEqualTo("half");
            assertThat(ended.at("/params/status").asString()).isEqualTo("completed");
            assertThat(ended.at("/params/result/structuredContent/done").booleanValue()).isTrue();
        }
    }
}
