package dev.toolfleet.bench.gateway;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Executors;

import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// Client of one gateway over HTTP, with an idempotency key for each call.
final class HttpDoor implements Door {
    private static final int OK = 200;
    private static final int ACCEPTED = 202;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final URI gateway;
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newVirtualThreadPerTaskExecutor()).build();

    HttpDoor(URI gateway) {
        this.gateway = gateway;
    }

    @Override
    public String name() {
        return GatewayReport.GATEWAY;
    }

    @Override
    public boolean call(Load load) throws InterruptedException {
        ObjectNode body = Json.MAPPER.createObjectNode().put("name", Kind.IDEMPOTENT.toolName());
        body.putObject("args").put(GatewayTools.NUMBER, load.number()).put(GatewayTools.TEXT, load.text());
        try {
            HttpResponse<byte[]> response = send(load, body, "wait=" + PATIENCE.toSeconds());
            return response.statusCode() == OK && Json.MAPPER.readTree(response.body()).path("output")
                    .path(GatewayTools.NUMBER).asInt(-1) == load.number();
        } catch (IOException e) {
            return false;
        }
    }

    /// Makes a call that goes pending.
    ///
    /// @return its id
    /// @throws IllegalStateException when the gateway does not accept it
    String begin(Load load) throws IOException, InterruptedException {
        ObjectNode body = Json.MAPPER.createObjectNode().put("name", Kind.ONCE.toolName());
        body.putObject("args").put(GatewayTools.NUMBER, load.number());
        HttpResponse<byte[]> response = send(load, body, "wait=" + PATIENCE.toSeconds());
        if (response.statusCode() != ACCEPTED)
            throw new IllegalStateException("a call that goes pending was answered with status "
                    + response.statusCode());
        return response.headers().firstValue("Toolfleet-Call-Id").orElseThrow();
    }

    private HttpResponse<byte[]> send(Load load, ObjectNode body, String preference)
            throws IOException, InterruptedException {
        return client.send(HttpRequest
                .newBuilder(gateway
                        .resolve("/v1/instances/" + load.instance() + "/agents/" + PlannedCall.AGENT + "/calls"))
                .header("Content-Type", "application/json").header("Idempotency-Key", load.id())
                .header("Prefer", preference).timeout(PATIENCE.plusSeconds(15))
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.MAPPER.writeValueAsBytes(body))).build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
