package dev.toolfleet.gateway.rest;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.toolfleet.gateway.rest.McpTestClient.result;
import static org.assertj.core.api.Assertions.assertThat;

class McpRouteTest {
    private static final String PATH = "/mcp/agents/coder";

    private final MemoryFleet fleet = McpTestClient.fleet();
    private TestGateway gateway = new TestGateway(fleet, fleet.calls);

    @AfterEach
    void stop() {
        gateway.close();
    }

    private HttpResponse<String> modern(String path, String method, String params, String... headers) {
        return new McpTestClient(gateway).modern(path, method, params, headers);
    }

    private HttpResponse<String> legacy(String json, String... headers) {
        return new McpTestClient(gateway).legacy(PATH, json, headers);
    }

    @Test
    void listIsThatOfAStepWithTheToolThatWaits() throws Exception {
        JsonNode first = result(modern(PATH, "tools/list", ""));
        JsonNode second = result(modern(PATH, "tools/list", ""));

        assertThat(first.path("tools").findValuesAsString("name")).containsExactly("n", "t__write", "tools__await");
        assertThat(second).isEqualTo(first);
        assertThat(fleet.begun).as("one step serves a minute").hasSize(1);
        assertThat(fleet.begun.getFirst().instanceKey()).isEqualTo("local");
        assertThat(result(modern("/mcp/agents/none", "tools/list", "")).path("tools")).hasSize(3);
    }

    @Test
    void toolThatASearchHasFoundIsCalledByItsName() throws Exception {
        fleet.change(McpTestClient.item("tool-search__search"), "sha256:01");
        assertThat(result(modern(PATH, "tools/list", "")).path("tools"))
                .extracting(tool -> tool.path("name").asString())
                .contains("tool-search__search", "tools__await", "tools__call").doesNotContain("github__star");
        String call = "'name':'tools__call','arguments':{'name':'github__star','args':{'x':1}}";
        JsonNode unknown = result(modern(PATH, "tools/call", call));
        assertThat(unknown.path("isError").booleanValue()).isTrue();
        assertThat(unknown.path("content").toString()).contains("Unknown tool: 'github__star'");

        // As a search does, without a change of the declarations.
        fleet.change(McpTestClient.item("github__star"), "sha256:02");
        assertThat(result(modern(PATH, "tools/call", call)).path("isError").booleanValue(false)).isFalse();
        assertThat(fleet.run).singleElement().satisfies(made -> {
            assertThat(made.name()).isEqualTo("github__star");
            assertThat(made.args().path("x").intValue()).isEqualTo(1);
        });
        assertThat(McpTestClient.errorCode(modern(PATH, "tools/call", "'name':'tools__call','arguments':{'name':1}")))
                .isEqualTo(-32602);
    }

    @Test
    void withoutASearchNoToolIsCalledByItsName() throws Exception {
        assertThat(McpTestClient.errorCode(modern(PATH, "tools/call",
                "'name':'tools__call','arguments':{'name':'t__write'}"))).isEqualTo(-32602);
    }

    @Test
    void callRunsInTheStepAndReturnsItsOutput() throws Exception {
        JsonNode result = result(modern("/mcp/instances/a%2Fb/agents/coder", "tools/call",
                "'name':'t__write','arguments':{'x':1}"));

        ToolCall made = fleet.run.getFirst();
        assertThat(made.instanceKey()).isEqualTo("a/b");
        assertThat(made.agentName()).isEqualTo("coder");
        assertThat(made.stepId()).isEqualTo(fleet.begun.getFirst().stepId());
        assertThat(made.catalogDigest()).isEqualTo("sha256:00");
        assertThat(result.path("structuredContent").path("done").booleanValue()).isTrue();
        assertThat(result.at("/_meta/dev.toolfleet~1callId").asString()).isEqualTo("0-0");
    }

    @Test
    void repeatedKeyIsOneCallAndCallsWithoutKeyAreTwo() throws Exception {
        for (int attempt = 0; attempt < 2; attempt++)
            assertThat(result(modern(PATH, "tools/call", "'name':'t__write'", "Idempotency-Key", "k")).path("isError")
                    .booleanValue(false)).isFalse();
        assertThat(fleet.run).hasSize(1);
        HttpResponse<String> conflict = modern(PATH, "tools/call", "'name':'t__write','arguments':{'x':2}",
                "Idempotency-Key", "k");
        assertThat(Json.MAPPER.readTree(conflict.body()).at("/error/code").intValue()).isEqualTo(-32602);

        modern(PATH, "tools/call", "'name':'t__write'");
        modern(PATH, "tools/call", "'name':'t__write'");
        assertThat(fleet.run).hasSize(3);
    }

    @Test
    void failureOfAToolIsAResultAndAnUnknownToolAnError() throws Exception {
        fleet.answering(call -> MemoryFleet.failed(call, ErrorCode.E_TOOL_INVALID_ARGS));

        JsonNode failed = result(modern(PATH, "tools/call", "'name':'t__write'"));
        HttpResponse<String> unknown = modern(PATH, "tools/call", "'name':'none'");

        assertThat(failed.path("isError").booleanValue()).isTrue();
        assertThat(failed.at("/content/0/text").asString()).startsWith("E_TOOL_INVALID_ARGS: it failed");
        assertThat(Json.MAPPER.readTree(unknown.body()).at("/error/code").intValue()).isEqualTo(-32602);
        assertThat(fleet.run).hasSize(1);
    }

    @Test
    void aNoticeIsABlockBehindOutputAndErrorAndNotInTheStructuredValue() throws Exception {
        fleet.answering(call -> MemoryFleet.ok(call, 0).noticed("10 times."));
        JsonNode done = result(modern(PATH, "tools/call", "'name':'t__write'"));
        fleet.answering(call -> MemoryFleet.failed(call, ErrorCode.E_TOOL_DENIED).noticed("10 times."));
        JsonNode failed = result(modern(PATH, "tools/call", "'name':'t__write'"));

        assertThat(done.at("/content/1/text").asString()).isEqualTo("10 times.");
        assertThat(done.path("structuredContent").toString()).isEqualTo("{\"done\":true}");
        assertThat(failed.at("/content/0/text").asString()).startsWith("E_TOOL_DENIED");
        assertThat(failed.at("/content/1/text").asString()).isEqualTo("10 times.");
    }

    @Test
    void pendingCallIsAwaitedByItsId() throws Exception {
        fleet.answering(call -> MemoryFleet.pending(call, "h-1"));
        JsonNode pending = result(modern(PATH, "tools/call", "'name':'t__write'"));
        JsonNode waiting = result(modern(PATH, "tools/call",
                "'name':'tools__await','arguments':{'call':'0-0','seconds':0}"));
        fleet.calls.result(new CallId(0, 0), MemoryFleet.ok(fleet.run.getFirst(), 0));
        JsonNode done = result(modern(PATH, "tools/call", "'name':'tools__await','arguments':{'call':'0-0'}"));

        assertThat(pending.at("/content/0/text").asString()).contains("tools__await", "{\"call\": \"0-0\"}");
        assertThat(waiting.at("/content/0/text").asString()).contains("has no result yet");
        assertThat(done.path("structuredContent").path("done").booleanValue()).isTrue();
        assertThat(fleet.run).hasSize(1);
    }

    @Test
    void slowCallStreamsProgressAndItsResult() throws Exception {
        fleet.answering(_ -> null);
        Thread worker = Thread.ofVirtual().start(() -> {
            while (true) {
                try {
                    fleet.calls.progress(new CallId(0, 0), "half");
                    fleet.calls.result(new CallId(0, 0), MemoryFleet.ok(fleet.run.getFirst(), 0));
                    return;
                } catch (RuntimeException e) {
                    Thread.onSpinWait();
                }
            }
        });
        HttpResponse<String> answer = legacy("'id':1,'method':'tools/call','params':{'name':'t__write','_meta':"
                + "{'progressToken':'p'}}", "MCP-Protocol-Version", "2025-11-25", "Accept", "text/event-stream");
        worker.join();

        assertThat(answer.body()).contains("notifications/progress", "half", "\"done\"");
    }

    @Test
    void sessionHasAnInstanceOfItsOwn() throws Exception {
        HttpResponse<String> opened = legacy("'id':0,'method':'initialize','params':{'protocolVersion':'2025-06-18',"
                + "'capabilities':{},'clientInfo':{'name':'c','version':'1'}}");
        String session = TestGateway.header(opened, "Mcp-Session-Id");
        HttpResponse<String> ready = legacy("'method':'notifications/initialized'", "Mcp-Session-Id", session);
        JsonNode called = result(legacy("'id':1,'method':'tools/call','params':{'name':'t__write'}", "Mcp-Session-Id",
                session));
        HttpResponse<String> cancelled = legacy("'method':'notifications/cancelled','params':{'requestId':1}",
                "Mcp-Session-Id", session);

        assertThat(result(opened).path("protocolVersion").asString()).isEqualTo("2025-06-18");
        assertThat(ready.statusCode()).isEqualTo(202);
        assertThat(called.path("structuredContent").path("done").booleanValue()).isTrue();
        assertThat(fleet.run.getFirst().instanceKey()).startsWith("local-");
        assertThat(cancelled.statusCode()).isEqualTo(202);
        assertThat(fleet.cancelled.getFirst().toolCallId()).isEqualTo(fleet.run.getFirst().id());
    }

    @Test
    void rightsAndMethodsOfHttpAreChecked() throws Exception {
        gateway.close();
        gateway = new TestGateway(fleet, fleet.calls, Map.of("ann.tokenHash", TestGateway.hash("t0ken-of-ann-0123"),
                "ann.scopes", "tools:list", "ann.agents", "coder"), "t0ken-of-ann-0123");

        assertThat(modern(PATH, "tools/list", "").statusCode()).isEqualTo(200);
        HttpResponse<String> call = modern(PATH, "tools/call", "'name':'t__write'");
        assertThat(call.statusCode()).isEqualTo(403);
        assertThat(TestGateway.header(call, "WWW-Authenticate")).contains("insufficient_scope", "tools:call");
        assertThat(modern("/mcp/agents/other", "tools/list", "").statusCode()).isEqualTo(403);
        assertThat(modern(PATH, "tools/list", "", "Origin", "https://evil.example").statusCode()).isEqualTo(403);
        assertThat(gateway.client().send(gateway.request(PATH).GET().build(), BodyHandlers.ofString()).statusCode())
                .isEqualTo(405);
        assertThat(fleet.run).isEmpty();
    }
}
