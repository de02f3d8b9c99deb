package dev.toolfleet.catalog.http;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.http.HostPort;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCatalogItem;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import tools.jackson.databind.JsonNode;

/// A real server on a free port in front of a fake store, and a client of it.
final class FakeService implements Steps, Declarations, AutoCloseable {
    static final String TOKEN = "a-token-of-enough-length";
    static final String DIGEST = "sha256:0123";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    final Bundles bundles = new Bundles();
    final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final AtomicInteger finds = new AtomicInteger();
    private final Map<String, StepCatalog> steps = new ConcurrentHashMap<>();
    private final Map<String, List<ToolCatalogItem>> contents = new ConcurrentHashMap<>();
    private final CatalogServer server;
    volatile Whereabouts otherwise = new Whereabouts.NotHere(List.of(), List.of());
    volatile List<String> reasons = List.of();
    volatile Instant now = Instant.EPOCH;
    volatile boolean tableRead = true;
    volatile boolean alive = true;
    volatile String broken = "";

    FakeService() {
        this("");
    }

    FakeService(String token) {
        server = new CatalogServer(HttpConfig.of("catalog.http", "127.0.0.1", "0", token, "").orElseThrow(),
                Duration.ofMinutes(1));
        server.start(this, this, meters, () -> now);
    }

    FakeService has(String instanceKey, String agent, ToolCatalogItem... items) {
        steps.put(instanceKey + "\0" + agent, new StepCatalog(instanceKey, agent, "t 1", "s/1", 1, DIGEST, null, "acme",
                7, null, Instant.EPOCH, false, List.of()));
        if (items.length > 0)
            contents.put(DIGEST, List.of(items));
        return this;
    }

    HostPort address() {
        return server.reachedAt();
    }

    static String path(String instanceKey, String agent) {
        return "/v1/instances/" + encoded(instanceKey) + "/agents/" + encoded(agent) + "/catalog";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    HttpResponse<String> get(String path, String... headers) {
        return send("GET", path, headers);
    }

    HttpResponse<String> send(String method, String path, String... headers) {
        return send(URI.create("http://" + address() + path), method, headers);
    }

    static HttpResponse<String> send(URI uri, String method, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).method(method,
                HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0)
            request.headers(headers);
        try {
            return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(method + " " + uri, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    static JsonNode json(HttpResponse<String> answer) {
        return Json.MAPPER.readTree(answer.body());
    }

    @Override
    public Whereabouts find(String instanceKey, String agentName) {
        finds.incrementAndGet();
        if (!broken.isEmpty())
            throw new UnsupportedOperationException(broken);
        StepCatalog step = steps.get(instanceKey + "\0" + agentName);
        return step == null ? otherwise : new Whereabouts.Here(step);
    }

    @Override
    public Optional<List<ToolCatalogItem>> content(String digest) {
        return Optional.ofNullable(contents.get(digest));
    }

    @Override
    public Optional<FleetResources> resources() {
        return tableRead ? Optional.of(bundles.view()) : Optional.empty();
    }

    @Override
    public List<String> notReady() {
        return reasons;
    }

    @Override
    public boolean isAlive() {
        return alive;
    }

    @Override
    public void close() {
        server.close();
    }
}
