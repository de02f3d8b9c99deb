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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.gateway.access.Access;
import dev.toolfleet.gateway.access.AccessConfig;
import dev.toolfleet.gateway.access.Principals;
import dev.toolfleet.gateway.access.Rejection;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.limits.LimitConfig;
import dev.toolfleet.gateway.webhook.WebhookConfig;
import dev.toolfleet.http.FleetServer;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.http.Route;
import dev.toolfleet.http.ServerLimits;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import tools.jackson.databind.JsonNode;

/// Gateway on a free port of this machine, and a client of it.
public final class TestGateway implements AutoCloseable {
    /// The time of the gateway.
    static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

    /// Limits with two streams.
    static final LimitConfig LIMITS = new LimitConfig(1000, 512, 2, 512, 2, 1024, LimitConfig.DEFAULT_MAX_BODY,
            Duration.ofSeconds(30));

    private final FleetServer server;
    private final Access access;
    private final GatewayRoutes routes;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final MemoryLists lists = new MemoryLists();
    private final List<Rejection> rejections = Collections.synchronizedList(new ArrayList<>());
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
        this(fleet, reads, AccessConfig.of(Principals.of(principals), "", LIMITS), token, webhooks);
    }

    /// Starts a gateway.
    ///
    /// @param token sent with requests; empty for none
    TestGateway(FleetWriter fleet, CallReads reads, AccessConfig settings, String token, WebhookConfig webhooks) {
        this.token = token;
        HttpConfig config = HttpConfig.of("gateway.http", "127.0.0.1", "0", "", "").orElseThrow();
        server = new FleetServer(config, ServerLimits.DEFAULT.withConnections(settings.limits().connections())
                .withIdle(settings.limits().slowClient()));
        access = new Access(settings, config, Optional.empty(), "http://" + server.reachedAt(), ctx -> Optional.empty(),
                rejections::add);
        routes = new GatewayRoutes(fleet, reads, lists, webhooks, () -> NOW);
        List<Route> all = new ArrayList<>(routes.all());
        all.addAll(access.routes());
        all.add(new McpRoute(fleet, reads, lists::resources, Optional.empty(),
                new McpTimes(Duration.ofHours(1), Duration.ofMillis(300))));
        server.start(all, GatewayRoutes.PATHS, new SimpleMeterRegistry(), access.admission());
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

    /// The reasons of requests that were rejected, in their order.
    List<Rejection> rejections() {
        return List.copyOf(rejections);
    }

    int openStreams() {
        return access.ledger().streams();
    }

    int openRequests() {
        return access.ledger().requests();
    }

    String url() {
        return "http://" + server.reachedAt();
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
        access.close();
    }
}
