package dev.toolfleet.cli.access;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

import dev.toolfleet.json.Json;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// Client of a gateway that has no login at the brokers.
///
/// @param gateway its address
record HttpClients(String gateway) {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /// Posts, and returns the answer, whose status must be this.
    JsonNode post(String path, String body, int status) throws Exception {
        return answer(HttpRequest.newBuilder(URI.create(gateway + path)).header("Content-Type", "application/json")
                .POST(body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)).build(), status);
    }

    /// Posts a call that is not waited for.
    HttpResponse<Void> call(String path, String body) throws Exception {
        return CLIENT.send(HttpRequest.newBuilder(URI.create(gateway + path)).header("Prefer", "respond-async")
                .header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)).build(),
                BodyHandlers.discarding());
    }

    /// Reads, and returns the answer, whose status must be 200.
    JsonNode get(String path) throws Exception {
        return answer(HttpRequest.newBuilder(URI.create(gateway + path)).build(), 200);
    }

    private static JsonNode answer(HttpRequest request, int status) throws Exception {
        HttpResponse<String> answer = CLIENT.send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(request + ": " + answer.body()).isEqualTo(status);
        return Json.MAPPER.readTree(answer.body());
    }
}
