package dev.toolfleet.gateway.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

import dev.toolfleet.mcp.server.WebExchange;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// Request to an MCP endpoint and its response, by Javalin.
record McpExchange(Context ctx) implements WebExchange {
    @Override
    public @Nullable String header(String name) {
        return ctx.header(name);
    }

    @Override
    public void respond(int status, Map<String, String> headers, byte[] json) {
        ctx.status(status);
        headers.forEach(ctx::header);
        if (json.length > 0)
            ctx.contentType("application/json").result(json);
    }

    @Override
    public OutputStream stream(Map<String, String> headers) throws IOException {
        headers.forEach(ctx::header);
        ctx.contentType("text/event-stream").header("Cache-Control", "no-store");
        return ctx.res().getOutputStream();
    }
}
