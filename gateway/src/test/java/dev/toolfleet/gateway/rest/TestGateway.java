package dev.toolfleet.gateway.rest;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import dev.toolfleet.gateway.access.PrincipalAdmission;
import dev.toolfleet.gateway.access.Principals;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.webhook.WebhookConfig;
import dev.toolfleet.http.FleetServer;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import tools.jackson.databind.JsonNode;

/// Gateway on a free port of this machine, and a client of it.
public final class TestGateway implements AutoCloseable {
    /// The time of the gateway.
    static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

    private final FleetServer server;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final MemoryLists lists = new MemoryLists();
    private final GatewayRoutes routes;
    private final String token;

    /// Starts a gateway for this machine, without principals.
    public TestGateway(FleetWriter fleet, CallReads reads) {
        this(fleet, reads, Map.of(), "");
    }

    /// Starts a gateway.
    ///
    /// @param principals settings below `gateway.principals`
    /// @param token sent with requests; empty for none
    public TestGateway(FleetWriter fleet, CallReads reads, Map<String, String> principals, String token) {
        this(fleet, reads, principals, token, WebhookConfig.NONE);
    }

    TestGateway(FleetWriter fleet, CallReads reads, Map<String, String> principals, String token,
            WebhookConfig webhooks) {
        this.token = token;
        HttpConfig config = HttpConfig.of("gateway.http", "127.0.0.1", "0", "", "").orElseThrow();
        server = new FleetServer(config);
        routes = new GatewayRoutes(fleet, reads, lists, webhooks, 2, () -> NOW);
        server.start(routes.all(), GatewayRoutes.PATHS, new SimpleMeterRegistry(),
                new PrincipalAdmission(Principals.of(principals), config));
    }

    /// The hash of a token, as settings have it.
    static String hash(String token) {
        return Digests.sha256(token.getBytes(StandardCharsets.UTF_8));
    }

    MemoryLists lists() {
        return lists;
    }

    GatewayRoutes routes() {
        return routes;
    }

    /// Sends a JSON body, with headers as `name, value, …`.
    public HttpResponse<String> post(String path, String json, String... headers) {
        return send(request(path, headers).header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json)));
    }

    HttpResponse<String> post(String path, byte[] body, String... headers) {
        return send(request(path, headers).POST(BodyPublishers.ofByteArray(body)));
    }

    /// Reads.
    public HttpResponse<String> get(String path, String... headers) {
        return send(request(path, headers).GET());
    }

    HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + server.reachedAt() + path))
                .timeout(Duration.ofSeconds(60));
        if (!token.isEmpty())
            request.header("Authorization", "Bearer " + token);
        for (int i = 0; i < headers.length; i += 2)
            request.header(headers[i], headers[i + 1]);
        return request;
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
            DescribedAnswers.check(answer);
            return answer;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    HttpClient client() {
        return client;
    }

    /// The JSON of an answer.
    public static JsonNode json(HttpResponse<String> answer) {
        return Json.MAPPER.readTree(answer.body());
    }

    static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    @Override
    public void close() {
        client.shutdownNow();
        server.close();
    }
}
