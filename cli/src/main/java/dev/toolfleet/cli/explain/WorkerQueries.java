package dev.toolfleet.cli.explain;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.config.Settings;
import dev.toolfleet.http.BearerToken;
import dev.toolfleet.json.Json;
import dev.toolfleet.worker.app.WorkerConfig;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Queries of workers over HTTP: of those that are named, else of every member of the group, at the host from which it
/// speaks to the brokers and the port and token of this configuration. All at once, each for at most [#PATIENCE].
///
/// @param urls of the workers; empty for the members of the group
/// @param port a number, or `off`
/// @param token empty for none
public record WorkerQueries(List<URI> urls, String port, Optional<BearerToken> token) {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /// Answers of workers.
    ///
    /// @param bodies of those that answered
    /// @param silent the others, each with its reason
    public record Answers(List<JsonNode> bodies, List<String> silent) {
        /// No worker was asked.
        public static final Answers NONE = new Answers(List.of(), List.of());

        /// Copies the lists.
        public Answers {
            bodies = List.copyOf(bodies);
            silent = List.copyOf(silent);
        }
    }

    /// Makes queries with the port and token of a configuration.
    ///
    /// @param urls of the workers; empty for the members of the group
    /// @throws Failure (invalid) when an address or the token cannot be used
    public static WorkerQueries of(FleetConfig fleet, List<URI> urls) {
        for (URI url : urls) {
            if (url.getHost() == null || url.getScheme() == null || !url.getScheme().startsWith("http"))
                throw Failure.invalid("--worker-url " + url + " is not like http://host:7071");
        }
        Settings http = fleet.worker().section("http");
        return new WorkerQueries(List.copyOf(urls),
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

    /// Returns the addresses of the workers; none if the group has no member, or its members have no port.
    public List<URI> addresses(GroupState group) {
        if (!urls.isEmpty() || !port.matches("[1-9]\\d{0,4}"))
            return urls;
        return group.members().stream().map(GroupState.Member::host).distinct()
                .map(host -> URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port))
                .toList();
    }

    /// Gets a path of each worker.
    public Answers get(List<URI> workers, String path) throws InterruptedException {
        List<JsonNode> bodies = new ArrayList<>();
        List<String> silent = new ArrayList<>();
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            List<CompletableFuture<HttpResponse<String>>> answers = workers.stream()
                    .map(url -> client.sendAsync(request(url, path), HttpResponse.BodyHandlers.ofString())).toList();
            for (int i = 0; i < workers.size(); i++) {
                try {
                    HttpResponse<String> answer = answers.get(i).get();
                    if (answer.statusCode() == 200)
                        bodies.add(Json.MAPPER.readTree(answer.body()));
                    else
                        silent.add(workers.get(i) + " answers " + answer.statusCode());
                } catch (ExecutionException | JacksonException e) {
                    Throwable cause = e.getCause() == null ? e : e.getCause();
                    silent.add(workers.get(i) + " (" + cause.getClass().getSimpleName() + ")");
                }
            }
        }
        return new Answers(bodies, silent);
    }

    /// The token itself goes to an address with TLS that a person has named, and to no other: members of the group
    /// report themselves where they are.
    private HttpRequest request(URI url, String path) {
        URI uri = url.resolve(path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(PATIENCE);
        token.ifPresent(secret -> request.header("Authorization", "https".equals(uri.getScheme())
                ? secret.authorization()
                : secret.signed(uri, Instant.now())));
        return request.build();
    }
}
