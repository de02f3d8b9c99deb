package dev.toolfleet.oauth.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.bundle.OAuthAppSpec;
import dev.toolfleet.json.Json;
import dev.toolfleet.oauth.grant.Apps;
import dev.toolfleet.oauth.grant.GrantIds;
import dev.toolfleet.oauth.grant.GrantRules;
import dev.toolfleet.oauth.grant.GrantState;
import dev.toolfleet.oauth.grant.OAuthApps;
import dev.toolfleet.oauth.grant.Order;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.grant.ServerReply;
import dev.toolfleet.oauth.grant.ServerRequest;
import dev.toolfleet.oauth.grant.StateToken;
import dev.toolfleet.oauth.testserver.TestAuthorizationServer;
import dev.toolfleet.wire.OAuthSession.Status;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// An authorization server that the fleet's authors did not write (oidc-provider of npm), and a browser that signs in.
class RealServerIT {
    private static final String FOLDER = System.getenv().getOrDefault("OIDC_SERVER", "");
    private static final URI PUBLIC = URI.create("http://127.0.0.1:1");
    private static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

    private static final String ID = GrantIds.of("acme", "chat", "ann");
    private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

    private final Secrets secrets = new Secrets(Apps.KEYS);
    private final AuthorizationServers servers = new AuthorizationServers(Map.of(), Optional.of(PUBLIC));
    private @Nullable Process process;

    @AfterEach
    void stop() {
        if (process != null)
            process.destroy();
    }

    /// Grant of a person, by the real server.
    ///
    /// @param code the code of which it was made
    private record Granted(String issuer, OAuthAppSpec app, GrantRules rules, GrantState state, String code) {}

    private Granted granted() throws IOException, InterruptedException {
        Assumptions.assumeFalse(FOLDER.isEmpty(),
                "OIDC_SERVER is not set: .ci/oidc installs oidc-provider of npm and sets it");
        Process started = new ProcessBuilder("node", "people.js", "0", PUBLIC + "/oauth/callback")
                .directory(Path.of(FOLDER).toFile()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        process = started;
        String issuer = issuer(started);
        OAuthAppSpec app = app(issuer);
        GrantRules rules = new GrantRules(secrets,
                (bundle, name) -> Optional.of(new OAuthApps.App(app, app.clientId().in(Map.of()))),
                Optional.of(PUBLIC));
        GrantState state = rules.ordered(ID, GrantState.NONE, new Order.Authorize("as-1", "acme", "chat", "ann",
                List.of("openid", "offline_access"), VERIFIER, "00", null, "i", "coder"), NOW).next();
        Map<String, String> back = TestAuthorizationServer.form(signIn(URI.create(requireNonNull(
                state.sessions().getFirst().authorizationUrl())), "ann").getRawQuery());
        assertThat(StateToken.read(requireNonNull(back.get("state")), Apps.KEYS)).isPresent();
        assertThat(back.get("iss")).isEqualTo(issuer);
        state = rules.ordered(ID, state, new Order.Callback("as-1", "c-1", null, back.get("code"), null, null,
                back.get("iss")), NOW).next();
        state = rules.replied(ID, state, "exchange-as-1", send(rules, app, state, "exchange-as-1"), NOW).next();
        assertThat(state.sessions().getFirst().status()).as("%s", state.sessions().getFirst().errorDescription())
                .isEqualTo(Status.COMPLETED);
        return new Granted(issuer, app, rules, state, requireNonNull(back.get("code")));
    }

    @Test
    void codeOfAPersonBecomesTheTokenOfThatPersonOnce() throws Exception {
        Granted granted = granted();

        assertThat(userInfo(granted.issuer(), token(granted.state()).accessToken())).isEqualTo("ann");
        assertThat(servers.send(granted.app(), new ServerRequest("acme", "chat", ServerRequest.Kind.EXCHANGE,
                granted.code(), VERIFIER, List.of()))).isInstanceOfSatisfying(ServerReply.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo("invalid_grant"));
    }

    @Test
    void refreshTokensRotateAndAreRevoked() throws Exception {
        Granted granted = granted();
        GrantRules rules = granted.rules();
        GrantState state = rules.ordered(ID, granted.state(), new Order.Refresh(1), NOW).next();
        state = rules.replied(ID, state, "refresh-1", send(rules, granted.app(), state, "refresh-1"), NOW).next();
        assertThat(requireNonNull(state.grant()).version()).isEqualTo(2);
        assertThat(requireNonNull(state.grant()).refreshError()).isNull();
        assertThat(token(state).refreshToken()).isNotEqualTo(token(granted.state()).refreshToken());
        assertThat(userInfo(granted.issuer(), token(state).accessToken())).isEqualTo("ann");

        assertThat(servers.send(granted.app(), new ServerRequest("acme", "chat", ServerRequest.Kind.REVOKE,
                token(state).refreshToken(), null, List.of()))).isEqualTo(new ServerReply.Revoked());
        state = rules.ordered(ID, state, new Order.Refresh(2), NOW).next();
        state = rules.replied(ID, state, "refresh-2", send(rules, granted.app(), state, "refresh-2"), NOW).next();
        assertThat(requireNonNull(state.grant()).revokedAt()).isNotNull();
    }

    private ServerReply send(GrantRules rules, OAuthAppSpec app, GrantState state, String task) {
        return servers.send(app, rules.request(state, task).orElseThrow());
    }

    private Secrets.OfGrant token(GrantState state) {
        return secrets.grant(ID, requireNonNull(requireNonNull(state.grant()).secret()));
    }

    private static String issuer(Process process) throws IOException {
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        String line = lines.readLine();
        while (line != null && !line.startsWith("issuer "))
            line = lines.readLine();
        return requireNonNull(line, "the authorization server did not start").substring("issuer ".length());
    }

    private static OAuthAppSpec app(String issuer) {
        return OAuthAppSpec.of((ObjectNode) Json.MAPPER.readTree("""
                {"apiVersion":"toolfleet.dev/v1","kind":"OAuthApp","metadata":{"name":"chat"},"spec":{
                  "provider":"Chat","flow":"authorizationCode","subjectMode":"user",
                  "client":{"clientId":"toolfleet","clientSecret":{"value":"secret-of-the-test"}},
                  "endpoints":{"authorizationUrl":"%1$s/auth","tokenUrl":"%1$s/token","userInfoUrl":"%1$s/me",
                    "revokeUrl":"%1$s/token/revocation","issuer":"%1$s"},
                  "scopes":["openid","offline_access"],"redirect":{"callbackPath":"/oauth/callback"},
                  "options":{"prompt":"consent"}}}
                """.formatted(issuer)));
    }

    private static String userInfo(String issuer, String token) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return Json.MAPPER.readTree(client.send(HttpRequest.newBuilder(URI.create(issuer + "/me"))
                    .header("Authorization", "Bearer " + token).build(), BodyHandlers.ofString()).body()).path("sub")
                    .asString();
        }
    }

    /// Does what a person does in a browser: signs in, agrees, and follows every redirect up to the gateway's.
    private static URI signIn(URI address, String person) throws IOException, InterruptedException {
        try (HttpClient browser = HttpClient.newBuilder().cookieHandler(new CookieManager()).build()) {
            URI at = address;
            for (int hop = 0; hop < 20; hop++) {
                HttpResponse<String> page = browser.send(HttpRequest.newBuilder(at).build(), BodyHandlers.ofString());
                if (page.statusCode() == 200) {
                    String prompt = page.body().contains("name=\"prompt\" value=\"login\"") ? "login" : "consent";
                    page = browser.send(HttpRequest.newBuilder(at)
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(BodyPublishers.ofString("prompt=" + prompt + "&login="
                                    + URLEncoder.encode(person, StandardCharsets.UTF_8) + "&password=any"))
                            .build(), BodyHandlers.ofString());
                }
                URI next = at.resolve(page.headers().firstValue("Location").orElseThrow(
                        () -> new AssertionError("no redirect")));
                if (next.getPort() == PUBLIC.getPort())
                    return next;
                at = next;
            }
        }
        throw new AssertionError("the server does not send the browser back");
    }
}
