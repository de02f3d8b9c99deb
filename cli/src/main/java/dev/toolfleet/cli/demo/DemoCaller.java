package dev.toolfleet.cli.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Caller of the demo that knows HTTP only. Used by one thread.
final class DemoCaller implements AutoCloseable {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int OK = 200;

    private final HttpClient client = HttpClient.newHttpClient();
    private final String agent;

    /// @param gateway its address
    DemoCaller(String gateway) {
        this.agent = gateway + "/v1/instances/" + DemoScenario.SCRIPT + "/agents/" + DemoScenario.AGENT;
    }

    /// Catalog of a step.
    ///
    /// @param tools the number of its tools
    record HttpCatalog(int tools, String digest) {}

    /// Announces the step of a call.
    HttpCatalog beginStep(ToolCall call) throws InterruptedException {
        JsonNode catalog = Json.MAPPER.readTree(post("/steps", "", step(call)));
        return new HttpCatalog(catalog.path("tools").size(), catalog.path("digest").asString(""));
    }

    /// Calls, and waits for the result.
    ///
    /// @param key the request's `Idempotency-Key`
    ToolResult call(ToolCall call, String key) throws InterruptedException {
        ObjectNode body = step(call).put("name", call.name());
        body.set("args", call.args());
        return RESULTS.read(post("/calls", key, body));
    }

    private static ObjectNode step(ToolCall call) {
        return Json.MAPPER.createObjectNode().put("turnId", call.turnId()).put("stepId", call.stepId());
    }

    private byte[] post(String path, String key, ObjectNode body) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(agent + path)).timeout(TIMEOUT)
                .header("Content-Type", "application/json").POST(BodyPublishers.ofString(body.toString()));
        if (!key.isEmpty())
            request.header("Idempotency-Key", key);
        try {
            HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
            if (answer.statusCode() == OK)
                return answer.body();
            throw Failure.failed("POST " + path + " was answered with " + answer.statusCode() + ": "
                    + new String(answer.body(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw Failure.failed("POST " + path + " failed: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
