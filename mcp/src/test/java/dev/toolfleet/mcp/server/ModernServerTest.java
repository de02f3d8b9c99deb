package dev.toolfleet.mcp.server;

import java.io.IOException;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ModernServerTest {
    private final TestEndpoint server = new TestEndpoint();

    @Test
    void discoverNamesVersionsCapabilitiesAndServer() throws IOException {
        MemoryExchange answer = server.modern("server/discover", "", "");

        JsonNode result = answer.json().path("result");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(result.path("supportedVersions").path(0).asString()).isEqualTo("2026-07-28");
        assertThat(result.path("capabilities").path("tools").path("listChanged").booleanValue()).isTrue();
        assertThat(result.path("instructions").asString()).isEqualTo("Use echo.");
        assertThat(result.path("resultType").asString()).isEqualTo("complete");
        assertThat(result.at("/_meta/io.modelcontextprotocol~1serverInfo/name").asString()).isEqualTo("test");
    }

    @Test
    void listHasOrderCursorAndLife() throws IOException {
        JsonNode first = server.modern("tools/list", "", "").json().path("result");
        JsonNode second = server.modern("tools/list", "", "'cursor':'2'").json().path("result");

        assertThat(first.path("tools").findValuesAsString("name")).containsExactly("bug", "echo");
        assertThat(first.path("ttlMs").intValue()).isEqualTo(5_000);
        assertThat(first.path("cacheScope").asString()).isEqualTo("private");
        assertThat(second.path("tools").findValuesAsString("name")).containsExactly("slow", "task");
        assertThat(second.has("nextCursor")).isFalse();
        assertThat(error(server.modern("tools/list", "", "'cursor':'9'"))).isEqualTo(-32602);
    }

    @Test
    void callReturnsBlocksAndValue() throws IOException {
        JsonNode result = server.modern("tools/call", "echo", "'name':'echo','arguments':{'a':[1]}").json()
                .path("result");

        assertThat(result.path("structuredContent").toString()).isEqualTo("{\"a\":[1]}");
        assertThat(result.path("content").path(0).path("text").asString()).isEqualTo("{\"a\":[1]}");
    }

    @Test
    void errorsHaveTheirCodesAndStatus() throws IOException {
        check(server.modern("tools/call", "none", "'name':'none'"), 200, -32602);
        check(server.modern("tools/call", "", "'arguments':{}"), 200, -32602);
        check(server.modern("tools/call", "echo", "'name':'echo','arguments':[]"), 200, -32602);
        check(server.modern("tools/unknown", "", ""), 404, -32601);
        check(server.modern("initialize", "", ""), 404, -32601);
        check(server.modern("ping", "", ""), 404, -32601);
        check(server.modern("tools/call", "other", "'name':'echo'"), 400, -32020);
        check(server.modern("tools/call", "", "'name':'echo'"), 400, -32020);
        check(server.modern("tools/call", "echo", "'name':'echo','arguments':{'region':'eu'}"), 400, -32020);
        check(server.post(new MemoryExchange(), "ann", TestEndpoint.modernJson("tools/list", "")), 400, -32020);
        check(server.post(new MemoryExchange().with("MCP-Protocol-Version", "2026-07-28"), "ann",
                "{'jsonrpc':'2.0','id':1,'method':'tools/list'}"), 400, -32602);
    }

    @Test
    void unknownVersionIsToldTheKnownOnes() throws IOException {
        MemoryExchange answer = server.post(new MemoryExchange().with("MCP-Protocol-Version", "2099-01-01"), "ann",
                TestEndpoint.modernJson("tools/list", "").replace("2026-07-28", "2099-01-01"));

        check(answer, 400, -32022);
        assertThat(answer.json().at("/error/data/supported/0").asString()).isEqualTo("2026-07-28");
        assertThat(answer.json().at("/error/data/requested").asString()).isEqualTo("2099-01-01");
    }

    @Test
    void argumentsInHeadersAgreeWithTheBody() throws IOException {
        MemoryExchange exchange = new MemoryExchange().with("Mcp-Param-Region", "eu");

        MemoryExchange answer = server.modern(exchange, "tools/call", "echo",
                "'name':'echo','arguments':{'region':'eu'}");

        assertThat(answer.json().at("/result/structuredContent/region").asString()).isEqualTo("eu");
    }

    @Test
    void bugIsReportedAndItsTextKept() throws IOException {
        MemoryExchange answer = server.modern("tools/call", "bug", "'name':'bug'");

        check(answer, 200, -32603);
        assertThat(answer.json().toString()).doesNotContain("secret");
        assertThat(server.tools.bugs).hasSize(1);
    }

    @Test
    void whatIsNoMessageIsRefused() throws IOException {
        check(server.post(new MemoryExchange(), "ann", "{"), 400, -32700);
        check(server.post(new MemoryExchange(), "ann", "[{}]"), 400, -32600);
        check(server.post(new MemoryExchange(), "ann",
                "{'jsonrpc':'2.0','id':1,'method':'" + "x".repeat(30_000) + "'}"),
                400, -32600);
        check(server.post(new MemoryExchange(), "ann", "{'jsonrpc':'2.0','id':1,'method':'x','params':{'a':"
                + "[".repeat(50) + "]".repeat(50) + "}}"), 400, -32600);
    }

    @Test
    void progressRisesOnTheStreamBeforeTheAnswer() throws Exception {
        MemoryExchange exchange = new MemoryExchange();
        Thread thread = started(exchange);
        exchange.awaitStream();
        await().until(() -> exchange.messages().size() >= 3);
        server.tools.slow.countDown();
        thread.join();

        double last = -1;
        for (JsonNode message : exchange.messages().subList(0, exchange.messages().size() - 1)) {
            assertThat(message.path("method").asString()).isEqualTo("notifications/progress");
            assertThat(message.at("/params/progressToken").asString()).isEqualTo("p");
            assertThat(message.at("/params/progress").doubleValue()).isGreaterThan(last);
            last = message.at("/params/progress").doubleValue();
        }
        assertThat(exchange.messages().getLast().at("/result/content/0/text").asString()).isEqualTo("slow");
        assertThat(exchange.headers()).containsEntry("X-Accel-Buffering", "no");
    }

    @Test
    void clientThatHasGoneCancels() throws Exception {
        MemoryExchange exchange = new MemoryExchange();
        Thread thread = started(exchange);
        exchange.awaitStream();
        exchange.leave();

        server.tools.cancelled.await();
        thread.join();
    }

    @Test
    void subscriptionIsAcknowledgedAndReportsChanges() throws Exception {
        MemoryExchange exchange = new MemoryExchange();
        Thread thread = Thread.ofVirtual().start(() -> unchecked(() -> server.modern(exchange, "subscriptions/listen",
                "", "'notifications':{'toolsListChanged':true,'taskIds':['0-7']}")));
        await().until(() -> !server.tools.listeners.isEmpty());
        check(server.modern("subscriptions/listen", "", "'notifications':{'toolsListChanged':true}"), 503, -32603);
        server.tools.listeners.getFirst().toolsChanged();
        await().until(() -> exchange.messages().size() == 2);
        exchange.leave();
        thread.join();

        JsonNode acknowledged = exchange.messages().getFirst();
        assertThat(acknowledged.path("method").asString()).isEqualTo("notifications/subscriptions/acknowledged");
        assertThat(acknowledged.at("/params/notifications/taskIds/0").asString()).isEqualTo("0-7");
        JsonNode changed = exchange.messages().getLast();
        assertThat(changed.path("method").asString()).isEqualTo("notifications/tools/list_changed");
        assertThat(changed.at("/params/_meta/io.modelcontextprotocol~1subscriptionId").intValue()).isEqualTo(1);
        assertThat(server.tools.listeners).isEmpty();
    }

    @Test
    void callBecomesATaskWhoseResultIsFetched() throws IOException {
        JsonNode created = server.modern("tools/call", "task", "'name':'task'").json().path("result");
        JsonNode working = server.modern("tasks/get", "0-7", "'taskId':'0-7'").json().path("result");
        server.tools.complete("0-7");
        JsonNode completed = server.modern("tasks/get", "0-7", "'taskId':'0-7'").json().path("result");

        assertThat(created.path("resultType").asString()).isEqualTo("task");
        assertThat(created.path("taskId").asString()).isEqualTo("0-7");
        assertThat(working.path("status").asString()).isEqualTo("working");
        assertThat(completed.at("/result/content/0/text").asString()).isEqualTo("done");
        check(server.modern("tasks/get", "0-8", "'taskId':'0-8'"), 200, -32602);
    }

    private Thread started(MemoryExchange exchange) {
        return Thread.ofVirtual()
                .start(() -> unchecked(() -> server.modern(exchange, "tools/call", "slow", "'name':'slow'")));
    }

    interface Action {
        void run() throws IOException;
    }

    static void unchecked(Action action) {
        try {
            action.run();
        } catch (IOException e) {
            // The client has gone.
        }
    }

    private static int error(MemoryExchange answer) {
        return answer.json().at("/error/code").intValue();
    }

    private static void check(MemoryExchange answer, int status, int code) {
        assertThat(error(answer)).as(answer.json().toString()).isEqualTo(code);
        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(status);
    }
}
