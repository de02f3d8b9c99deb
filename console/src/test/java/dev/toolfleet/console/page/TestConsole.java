package dev.toolfleet.console.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.gateway.access.Access;
import dev.toolfleet.gateway.access.AccessConfig;
import dev.toolfleet.gateway.access.Principals;
import dev.toolfleet.gateway.app.GatewayPages.Rooms;
import dev.toolfleet.gateway.limits.LimitConfig;
import dev.toolfleet.http.FleetServer;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;

/// Console on a free port of this machine, over a fleet in memory, and a browser without scripts.
final class TestConsole implements AutoCloseable {
    /// The time of the console.
    static final Instant NOW = Instant.parse("2026-11-28T20:00:00Z");
    private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");

    final MemoryReads reads = new MemoryReads(NOW.minusSeconds(3_600));
    final MemoryFleet fleet = new MemoryFleet();
    final MemoryCommands commands = new MemoryCommands();
    private final FleetServer server;
    private final Access access;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private @Nullable String cookie;

    /// @param principals settings below `gateway.principals`; empty for an open gateway
    TestConsole(Map<String, String> principals) {
        HttpConfig config = HttpConfig.of("gateway.http", "127.0.0.1", "0", "", "").orElseThrow();
        server = new FleetServer(config);
        access = new Access(AccessConfig.of(Principals.of(principals), "", LimitConfig.DEFAULT), config,
                Optional.empty(), "http://" + server.reachedAt(), ctx -> Optional.empty(), _ -> {});
        List<Route> routes = new ArrayList<>(
                ConsoleRoutes.of(new Rooms(fleet, reads, fleet, access), commands, () -> NOW));
        server.start(routes, "", new SimpleMeterRegistry(), access.admission());
    }

    /// Settings of a principal with these scopes; its token is its name and `-token-0123456789`.
    static Map<String, String> principal(String name, String scopes) {
        return Map.of(name + ".tokenHash", Digests.sha256((name + "-token-0123456789").getBytes(
                StandardCharsets.UTF_8)), name + ".scopes", scopes);
    }

    String url() {
        return "http://" + server.reachedAt();
    }

    static ToolCall call(String id, String tool, String instance, String arguments) {
        return new ToolCall(id, tool, Json.MAPPER.readTree(arguments), instance, "coder", "t1", "s1", null, null, "u1",
                null, null, null, null, null, null, null);
    }

    HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(URI.create(url() + path)).GET());
    }

    /// Connects a live part, and reads it to its end.
    HttpResponse<String> live(String path) {
        return send(HttpRequest.newBuilder(URI.create(url() + path)).header("Accept", "text/html, text/event-stream")
                .GET());
    }

    /// Sends a form, with the session's text.
    HttpResponse<String> post(String path, Map<String, String> fields) {
        Matcher csrf = CSRF.matcher(get("/console/calls").body());
        List<String> all = new ArrayList<>();
        if (csrf.find())
            all.add("csrf=" + csrf.group(1));
        fields.forEach((name, value) -> all.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return form(path, String.join("&", all));
    }

    HttpResponse<String> form(String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + path))
                .setHeader("Content-Type", "application/x-www-form-urlencoded").POST(BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2)
            request.setHeader(headers[i], headers[i + 1]);
        return send(request);
    }

    /// Signs the browser in.
    HttpResponse<String> signIn(String name) {
        return form("/console/sign-in", "token=" + name + "-token-0123456789&to=/console/calls");
    }

    void forgetCookies() {
        cookie = null;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        if (cookie != null)
            request.header("Cookie", cookie);
        try {
            HttpResponse<String> response = client.send(request.timeout(Duration.ofSeconds(30)).build(),
                    BodyHandlers.ofString());
            response.headers().firstValue("Set-Cookie").ifPresent(set -> cookie = set.split(";", 2)[0]);
            return response;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.close();
        access.close();
        client.close();
    }
}
