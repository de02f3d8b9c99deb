package dev.toolfleet.gateway.rest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import tools.jackson.databind.JsonNode;

/// MCP client of a gateway. JSON is written with `'` in place of `"`.
///
/// @param capabilities of a modern client, as JSON
record McpTestClient(TestGateway gateway, String capabilities) {
    McpTestClient(TestGateway gateway) {
        this(gateway, "{}");
    }

    /// A fleet with the tools `n` and `t__write`.
    static MemoryFleet fleet() {
        MemoryFleet fleet = new MemoryFleet();
        for (String name : List.of("n", "t__write"))
            fleet.tools.add(item(name));
        return fleet;
    }

    static ToolCatalogItem item(String name) {
        return new ToolCatalogItem(name, "does " + name, Json.MAPPER.createObjectNode().put("type", "object"),
                new ToolSource(ToolSource.CONFIG, "safe"), new ToolRef("acme", "safe", name), null);
    }

    String body(String method, String params) {
        return ("{'jsonrpc':'2.0','id':1,'method':'" + method
                + "','params':{'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                + "'io.modelcontextprotocol/clientCapabilities':" + capabilities + "}"
                + (params.isEmpty() ? "" : "," + params) + "}}").replace('\'', '"');
    }

    static String[] headers(String method, String params, String... more) {
        JsonNode given = Json.MAPPER.readTree("{" + params.replace('\'', '"') + "}");
        String name = given.path("name").asString(given.path("taskId").asString(""));
        List<String> all = new ArrayList<>(List.of("Content-Type", "application/json", "MCP-Protocol-Version",
                "2026-07-28", "Mcp-Method", method, "Accept", "application/json, text/event-stream"));
        if (!name.isEmpty())
            all.addAll(List.of("Mcp-Name", name));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    HttpResponse<String> modern(String path, String method, String params, String... headers) {
        return send(gateway.request(path, headers(method, params, headers))
                .POST(BodyPublishers.ofString(body(method, params))));
    }

    HttpResponse<String> legacy(String path, String json, String... headers) {
        List<String> all = new ArrayList<>(List.of("Content-Type", "application/json"));
        all.addAll(List.of(headers));
        return send(gateway.request(path, all.toArray(String[]::new))
                .POST(BodyPublishers.ofString(("{'jsonrpc':'2.0'," + json + "}").replace('\'', '"'))));
    }

    HttpResponse<String> get(String path, String... headers) {
        return send(gateway.request(path, headers).GET());
    }

    /// Errors of MCP are no problem documents, which the gateway of the test looks for.
    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return gateway.client().send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// The result of an answer, also of one that came as a stream.
    static JsonNode result(HttpResponse<String> answer) {
        return message(answer).path("result");
    }

    static int errorCode(HttpResponse<String> answer) {
        return message(answer).at("/error/code").intValue();
    }

    private static JsonNode message(HttpResponse<String> answer) {
        String body = answer.body();
        if (!body.startsWith("{"))
            body = body.substring(body.lastIndexOf("data: ") + "data: ".length());
        return Json.MAPPER.readTree(body);
    }
}
