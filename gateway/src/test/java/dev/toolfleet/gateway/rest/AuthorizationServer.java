package dev.toolfleet.gateway.rest;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;

import dev.toolfleet.json.Json;
import tools.jackson.databind.JsonNode;

/// Authorization server of others, in a process of its own: oidc-provider of npm, as `.ci/oidc` installs it. Each start
/// has new signing keys.
final class AuthorizationServer implements AutoCloseable {
    private static final String ISSUER = "issuer ";

    private final Process process;
    private final URI issuer;
    private final HttpClient client = HttpClient.newHttpClient();

    /// Starts it.
    ///
    /// @param folder with `server.js` and what it needs
    /// @param audience of tokens that name no resource
    AuthorizationServer(Path folder, String audience, String algorithm) throws IOException {
        process = new ProcessBuilder("node", "server.js", "0", audience, algorithm)
                .directory(folder.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        String line = lines.readLine();
        while (line != null && !line.startsWith(ISSUER))
            line = lines.readLine();
        if (line == null) {
            process.destroyForcibly();
            throw new IOException("the authorization server did not start");
        }
        issuer = URI.create(line.substring(ISSUER.length()));
    }

    String issuer() {
        return issuer.toString();
    }

    /// Returns the address of its keys, as its own description has it.
    String keys() throws IOException, InterruptedException {
        return json(HttpRequest.newBuilder(issuer.resolve("/.well-known/openid-configuration")).build())
                .path("jwks_uri").asString();
    }

    /// Returns a new access token of its client.
    String token(String resource, String scope) throws IOException, InterruptedException {
        String login = Base64.getEncoder().encodeToString("robot:robot-secret".getBytes(StandardCharsets.US_ASCII));
        JsonNode answer = json(HttpRequest.newBuilder(issuer.resolve("/token"))
                .header("Authorization", "Basic " + login)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("grant_type=client_credentials&scope=" + encoded(scope) + "&resource="
                        + encoded(resource)))
                .build());
        String token = answer.path("access_token").asString("");
        if (token.isEmpty())
            throw new IOException("the authorization server gave no token: " + answer);
        return token;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private JsonNode json(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        return Json.MAPPER.readTree(answer.body());
    }

    @Override
    public void close() {
        client.shutdownNow();
        process.destroyForcibly().onExit().join();
    }
}
