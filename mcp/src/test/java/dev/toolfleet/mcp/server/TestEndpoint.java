package dev.toolfleet.mcp.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.rpc.RpcLimits;

/// Endpoint of a test, with requests of both eras.
final class TestEndpoint {
    static final byte[] KEY = "sixteen bytes at least".getBytes(StandardCharsets.UTF_8);
    private static final ServerSettings SETTINGS = ServerSettings.of(new PeerInfo("test", "1"))
            .timed(Duration.ofMillis(100), Duration.ofMillis(20), Duration.ofMillis(60))
            .limited(new RpcLimits(20_000, 20), 1);

    final MemoryTools tools;
    private final McpEndpoint<String> endpoint;

    TestEndpoint() {
        this(new MemoryTools(), KEY);
    }

    TestEndpoint(MemoryTools tools, byte[] key) {
        this.tools = tools;
        endpoint = new McpEndpoint<>(tools, SETTINGS,
                new SessionIds(List.of(key), Clock.systemUTC(), Duration.ofDays(1)), Clock.systemUTC());
    }

    MemoryExchange post(MemoryExchange exchange, String caller, String json) throws IOException {
        endpoint.post(exchange, caller, json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        return exchange;
    }

    MemoryExchange listen(MemoryExchange exchange) throws IOException {
        endpoint.listen(exchange, "ann");
        return exchange;
    }

    /// Sends a modern request with the headers that it needs.
    MemoryExchange modern(MemoryExchange exchange, String method, String name, String params) throws IOException {
        exchange.with("MCP-Protocol-Version", "2026-07-28").with("Mcp-Method", method);
        if (!name.isEmpty())
            exchange.with("Mcp-Name", name);
        return post(exchange, "ann", modernJson(method, params));
    }

    MemoryExchange modern(String method, String name, String params) throws IOException {
        return modern(new MemoryExchange(), method, name, params);
    }

    static String modernJson(String method, String params) {
        return "{'jsonrpc':'2.0','id':1,'method':'" + method + "','params':{'_meta':{"
                + "'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                + "'io.modelcontextprotocol/clientCapabilities':{'extensions':{'io.modelcontextprotocol/tasks':{}}},"
                + "'progressToken':'p'}" + (params.isEmpty() ? "" : "," + params) + "}}";
    }

    /// Opens a legacy session and returns its id.
    String session() throws IOException {
        MemoryExchange opened = post(new MemoryExchange(), "ann", "{'jsonrpc':'2.0','id':0,'method':'initialize',"
                + "'params':{'protocolVersion':'2025-11-25','capabilities':{},'clientInfo':{'name':'c','version':'1'}}}");
        String id = opened.headers().get("Mcp-Session-Id");
        if (id == null)
            throw new AssertionError("no session: " + opened.json());
        return id;
    }

    MemoryExchange legacy(String session, String caller, String json) throws IOException {
        return legacy(new MemoryExchange(), session, caller, json);
    }

    MemoryExchange legacy(MemoryExchange exchange, String session, String caller, String json) throws IOException {
        return post(exchange.with("Mcp-Session-Id", session), caller, "{'jsonrpc':'2.0'," + json + "}");
    }
}
