package dev.toolfleet.mcp.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcId;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class LegacyServerTest {
    private static final String SLOW = "'id':7,'method':'tools/call','params':{'name':'slow'}";

    private final TestEndpoint server = new TestEndpoint();

    @Test
    void initializeAgreesOnAVersion() throws IOException {
        assertThat(initialized("2025-06-18").path("protocolVersion").asString()).isEqualTo("2025-06-18");
        assertThat(initialized("2026-07-28").path("protocolVersion").asString()).isEqualTo("2025-11-25");
        assertThat(initialized("1.0").path("protocolVersion").asString()).isEqualTo("2025-11-25");
        assertThat(initialized("2025-11-25").at("/serverInfo/name").asString()).isEqualTo("test");
    }

    @Test
    void everyReplicaWithTheKeyServesASession() throws IOException {
        String session = server.session();
        TestEndpoint replica = new TestEndpoint();
        TestEndpoint stranger = new TestEndpoint(new MemoryTools(), "another key of bytes".getBytes(
                StandardCharsets.UTF_8));

        assertThat(replica.legacy(session, "ann", "'id':1,'method':'ping'").json().path("result").isObject()).isTrue();
        assertThat(stranger.legacy(session, "ann", "'id':1,'method':'ping'").status()).isEqualTo(404);
        assertThat(replica.legacy(session, "bob", "'id':1,'method':'ping'").status()).isEqualTo(404);
        assertThat(replica.legacy(session.replace('.', 'x'), "ann", "'id':1,'method':'ping'").status()).isEqualTo(404);
    }

    @Test
    void sessionEndsWithItsLife() {
        Instant now = Instant.parse("2026-11-26T12:00:00Z");
        SessionIds ids = new SessionIds(List.of(TestEndpoint.KEY), Clock.fixed(now, ZoneOffset.UTC),
                Duration.ofHours(1));

        assertThat(ids.read(ids.idOf(session(now.minusSeconds(3_599))), "ann")).isPresent();
        assertThat(ids.read(ids.idOf(session(now.minusSeconds(3_600))), "ann")).isEmpty();
    }

    @Test
    void resultsFitTheRevision() throws IOException {
        JsonNode modern = server.legacy(server.session(), "ann",
                "'id':1,'method':'tools/list','params':{}").json().path("result");
        JsonNode bare = server.post(new MemoryExchange(), "ann", "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                + "'params':{'name':'echo','arguments':{'a':1}}}").json().path("result");

        assertThat(modern.has("ttlMs")).isFalse();
        assertThat(modern.has("resultType")).isFalse();
        assertThat(bare.has("structuredContent")).as("2025-03-26 has none").isFalse();
        assertThat(bare.at("/content/0/text").asString()).isEqualTo("{\"a\":1}");
    }

    @Test
    void errorsOfMethodsHaveStatus200() throws IOException {
        String session = server.session();

        MemoryExchange unknown = server.legacy(session, "ann", "'id':1,'method':'tools/unknown'");
        MemoryExchange version = server.post(new MemoryExchange().with("MCP-Protocol-Version", "1999-01-01"), "ann",
                "{'jsonrpc':'2.0','id':1,'method':'ping'}");

        assertThat(unknown.status()).isEqualTo(200);
        assertThat(unknown.json().at("/error/code").intValue()).isEqualTo(-32601);
        assertThat(version.status()).isEqualTo(400);
    }

    @Test
    void notificationCancelsTheRequestOfItsSession() throws Exception {
        String session = server.session();
        MemoryExchange exchange = new MemoryExchange();
        Thread thread = started(exchange, session);
        server.tools.slowIsAtWork.await();

        server.legacy(server.session(), "ann", cancellation());
        assertThat(server.tools.cancelledElsewhere).containsExactly(new RpcId.Whole(7));
        assertThat(server.tools.cancelled.getCount()).isEqualTo(1);
        MemoryExchange accepted = server.legacy(session, "ann", cancellation());

        server.tools.cancelled.await();
        thread.join();
        assertThat(accepted.status()).isEqualTo(202);
        assertThat(accepted.bodyLength()).isZero();
    }

    @Test
    void clientThatHasGoneDoesNotCancel() throws Exception {
        MemoryExchange exchange = new MemoryExchange();
        Thread thread = started(exchange, server.session());
        exchange.awaitStream();
        exchange.leave();
        thread.join();

        assertThat(server.tools.cancelled.getCount()).isEqualTo(1);
        server.tools.slow.countDown();
    }

    @Test
    void streamOfASessionReportsChanges() throws Exception {
        MemoryExchange exchange = new MemoryExchange().with("Mcp-Session-Id", server.session());
        Thread thread = Thread.ofVirtual().start(() -> ModernServerTest.unchecked(() -> server.listen(exchange)));
        await().until(() -> !server.tools.listeners.isEmpty());
        server.tools.listeners.getFirst().toolsChanged();
        await().until(() -> exchange.messages().size() == 1);
        exchange.leave();
        thread.join();

        assertThat(exchange.messages().getFirst().path("method").asString())
                .isEqualTo("notifications/tools/list_changed");
        assertThat(server.listen(new MemoryExchange().with("Mcp-Session-Id", "x.y")).status()).isEqualTo(404);
    }

    @Test
    void taskOfTheOldGenerationReturnsTheResultOfItsCall() throws IOException {
        String session = server.session();
        JsonNode created = server.legacy(session, "ann",
                "'id':1,'method':'tools/call','params':{'name':'task','task':{}}").json().path("result");
        server.tools.complete("0-7");
        JsonNode result = server.legacy(session, "ann", "'id':2,'method':'tasks/result','params':{'taskId':'0-7'}")
                .json().path("result");

        assertThat(created.at("/task/status").asString()).isEqualTo("working");
        assertThat(result.at("/content/0/text").asString()).isEqualTo("done");
        assertThat(result.at("/_meta/io.modelcontextprotocol~1related-task/taskId").asString()).isEqualTo("0-7");
    }

    private JsonNode initialized(String version) throws IOException {
        return server.post(new MemoryExchange(), "ann", "{'jsonrpc':'2.0','id':0,'method':'initialize','params':"
                + "{'protocolVersion':'" + version + "','capabilities':{}}}").json().path("result");
    }

    private Thread started(MemoryExchange exchange, String session) {
        return Thread.ofVirtual()
                .start(() -> ModernServerTest.unchecked(() -> server.legacy(exchange, session, "ann", SLOW)));
    }

    private static String cancellation() {
        return "'method':'notifications/cancelled','params':{'requestId':7}";
    }

    private static LegacySession session(Instant since) {
        return new LegacySession("n", Revision.V2025_11_25, McpJson.object(), new PeerInfo("c", "1"), "ann", "i",
                since);
    }
}
