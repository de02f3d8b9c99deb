package dev.toolfleet.cli.explain;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import dev.toolfleet.cli.explain.CallSnapshot.Held;
import dev.toolfleet.cli.explain.CallSnapshot.LiveCall;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.config.Settings;
import dev.toolfleet.http.BearerToken;
import dev.toolfleet.json.Json;
import dev.toolfleet.worker.app.WorkerConfig;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Queries workers over HTTP: those that are named, else every member of the group, at the host from which it speaks to
/// the brokers and the port and token of this configuration. All at once, each for at most [#PATIENCE].
///
/// @param urls of the workers; empty for the members of the group
/// @param port a number, or `off`
/// @param token empty for none
record HttpWorkers(List<URI> urls, String port, Optional<BearerToken> token) implements LiveCalls {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    static HttpWorkers of(FleetConfig fleet, List<URI> urls) {
        for (URI url : urls) {
            if (url.getHost() == null || url.getScheme() == null || !url.getScheme().startsWith("http"))
                throw Failure.invalid("--worker-url " + url + " is not like http://host:7071");
        }
        Settings http = fleet.worker().section("http");
        return new HttpWorkers(List.copyOf(urls),
                http.text("port", Integer.toString(WorkerConfig.DEFAULT_HTTP_PORT)), token(http.text("token", "")));
    }

    /// A token as workers accept it.
    private static Optional<BearerToken> token(String token) {
        try {
            return token.isEmpty() ? Optional.empty() : Optional.of(new BearerToken("worker.http.token", token));
        } catch (IllegalArgumentException e) {
            throw Failure.invalid(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public CallSnapshot.Live of(String instance, GroupState group) throws InterruptedException {
        List<URI> asked = urls.isEmpty() ? members(group) : urls;
        if (asked.isEmpty())
            return CallSnapshot.Live.unasked(group.members().isEmpty()
                    ? "no worker runs, so none was asked over HTTP"
                    : "workers were not asked over HTTP, since worker.http.port is " + port
                            + "; --worker-url names where they answer");
        List<LiveCall> calls = new ArrayList<>();
        List<Held> held = new ArrayList<>();
        Set<String> answered = new HashSet<>();
        List<String> silent = new ArrayList<>();
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            List<CompletableFuture<HttpResponse<String>>> answers = asked.stream()
                    .map(url -> client.sendAsync(request(url, instance), HttpResponse.BodyHandlers.ofString()))
                    .toList();
            for (int i = 0; i < asked.size(); i++) {
                try {
                    HttpResponse<String> answer = answers.get(i).get();
                    if (answer.statusCode() == 200)
                        answered.add(read(Json.MAPPER.readTree(answer.body()), calls, held));
                    else
                        silent.add(asked.get(i) + " answers " + answer.statusCode());
                } catch (ExecutionException | JacksonException | DateTimeParseException e) {
                    Throwable cause = e.getCause() == null ? e : e.getCause();
                    silent.add(asked.get(i) + " (" + cause.getClass().getSimpleName() + ")");
                }
            }
        }
        return new CallSnapshot.Live(calls, held, answered, silent.isEmpty()
                ? null
                : "not every worker could be asked over HTTP: " + String.join(", ", silent)
                        + "; what they do now is concluded from the topics (worker.http, --worker-url)");
    }

    private List<URI> members(GroupState group) {
        if (!port.matches("[1-9]\\d{0,4}"))
            return List.of();
        return group.members().stream().map(GroupState.Member::host).distinct()
                .map(host -> URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port))
                .toList();
    }

    /// The token itself goes to an address with TLS that a person has named, and to no other: members of the group
    /// report themselves where they are.
    private HttpRequest request(URI url, String instance) {
        URI uri = url.resolve("/v1/calls?instance=" + URLEncoder.encode(instance, StandardCharsets.UTF_8));
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(PATIENCE);
        token.ifPresent(secret -> request.header("Authorization", "https".equals(uri.getScheme())
                ? secret.authorization()
                : secret.signed(uri, Instant.now())));
        return request.build();
    }

    /// Adds the calls and held partitions of an answer; returns the name of its worker.
    static String read(JsonNode json, List<LiveCall> calls, List<Held> held) {
        String worker = json.path("worker").asString("");
        for (JsonNode call : json.path("calls")) {
            String since = call.path("since").asString("");
            calls.add(new LiveCall(worker, call.path("partition").asInt(), call.path("offset").asLong(),
                    call.path("id").asString(""), call.path("name").asString(""), call.path("stage").asString(""),
                    since.isEmpty() ? null : Instant.parse(since), call.path("attempt").asInt(1),
                    call.path("skipped").asBoolean(false)));
        }
        for (JsonNode each : json.path("held"))
            held.add(new Held(worker, each.path("partition").asInt(),
                    each.path("reasons").valueStream().map(reason -> reason.asString("")).toList()));
        return worker;
    }
}
