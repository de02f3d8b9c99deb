package dev.toolfleet.client;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.SessionState;
import dev.toolfleet.wire.WireCodec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Reads sessions from the session service over HTTP (`docs/sessions.md`). Thread-safe.
///
/// @param service the address of a session service, such as `http://127.0.0.1:7074`
/// @param token the token that it requires
/// @param timeout the longest wait for an answer
public record SessionReader(URI service, Optional<String> token, Duration timeout) {
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5)).build();
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    /// View of a session's messages.
    public enum View {
        /// As they were written.
        LOG,
        /// Repaired, for a model.
        MODEL
    }

    /// Reads a service of this machine, or one without a token.
    public static SessionReader at(URI service) {
        return new SessionReader(service, Optional.empty(), Duration.ofSeconds(10));
    }

    /// Reads the messages of a session.
    ///
    /// @return `{seq, view, messages, findings}`; empty for a session that is not known
    /// @throws IOException when the service cannot be reached or answers with an error, which the message has
    /// @throws InterruptedException when the thread is interrupted
    public Optional<JsonNode> messages(String instanceKey, String agentName, View view)
            throws IOException, InterruptedException {
        return get(instanceKey, agentName, "messages?view=" + view.name().toLowerCase(Locale.ROOT));
    }

    /// Reads the state of a session.
    ///
    /// @return empty for a session that is not known
    /// @throws IOException when the service cannot be reached or answers with an error, which the message has
    /// @throws InterruptedException when the thread is interrupted
    public Optional<SessionState> state(String instanceKey, String agentName) throws IOException, InterruptedException {
        return get(instanceKey, agentName, "session")
                .map(json -> WireCodec.of(SessionState.class).read(Json.MAPPER.writeValueAsBytes(json)));
    }

    private Optional<JsonNode> get(String instanceKey, String agentName, String what)
            throws IOException, InterruptedException {
        String base = service.toString().replaceFirst("/+$", "");
        URI uri = URI
                .create(base + "/v1/instances/" + encoded(instanceKey) + "/agents/" + encoded(agentName) + "/" + what);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(timeout);
        token.ifPresent(bearer -> request.header("Authorization", "Bearer " + bearer));
        HttpResponse<String> answer = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() == NOT_FOUND && answer.body().contains("unknown-session"))
            return Optional.empty();
        if (answer.statusCode() != OK)
            throw new IOException(uri + " answered " + answer.statusCode() + ": " + answer.body());
        try {
            return Optional.of(Json.MAPPER.readTree(answer.body()));
        } catch (JacksonException e) {
            throw new IOException(uri + " did not answer with JSON; is it a session service?", e);
        }
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
