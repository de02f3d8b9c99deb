package dev.toolfleet.oauth.server;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import dev.toolfleet.bundle.OAuthAppSpec;
import dev.toolfleet.oauth.grant.Apps;
import dev.toolfleet.oauth.grant.ServerReply;
import dev.toolfleet.oauth.grant.ServerRequest;
import dev.toolfleet.oauth.testserver.TestAuthorizationServer;
import dev.toolfleet.oauth.testserver.TestAuthorizationServer.Fault;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class AuthorizationServersTest {
    private static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    private static final String CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    private final TestAuthorizationServer server = new TestAuthorizationServer();
    private final AuthorizationServers servers = new AuthorizationServers(
            Map.of("CHAT_SECRET", TestAuthorizationServer.SECRET), Apps.PUBLIC_URL, Duration.ofSeconds(2),
            Duration.ofMillis(1));

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void codeBecomesTokensOnceAndWithItsVerifierAlone() {
        assertThat(exchange(code("ann"), VERIFIER)).isInstanceOfSatisfying(ServerReply.Tokens.class, tokens -> {
            assertThat(server.isValid(tokens.accessToken())).isTrue();
            assertThat(tokens.expiresIn()).isEqualTo(3600);
            assertThat(tokens.scopes()).containsExactly("read");
            assertThat(tokens.person()).isEqualTo("ann");
        });
        String used = code("ann");
        exchange(used, VERIFIER);
        assertThat(exchange(used, VERIFIER)).isEqualTo(new ServerReply.Refused("invalid_grant", null));
        assertThat(exchange(code("ann"), VERIFIER.replace('d', 'e')))
                .isEqualTo(new ServerReply.Refused("invalid_grant", null));
    }

    @Test
    void refreshTokenIsUsedOnce() {
        ServerReply.Tokens first = (ServerReply.Tokens) exchange(code("ann"), VERIFIER);
        ServerReply.Tokens second = (ServerReply.Tokens) send(ServerRequest.Kind.REFRESH, first.refreshToken());

        assertThat(second.accessToken()).isNotEqualTo(first.accessToken());
        assertThat(second.person()).as("a refresh requests no person").isNull();
        assertThat(send(ServerRequest.Kind.REFRESH, first.refreshToken()))
                .isEqualTo(new ServerReply.Refused("invalid_grant", null));
    }

    @Test
    void revocationEndsTheTokens() {
        ServerReply.Tokens tokens = (ServerReply.Tokens) exchange(code("ann"), VERIFIER);

        assertThat(send(ServerRequest.Kind.REVOKE, tokens.refreshToken())).isEqualTo(new ServerReply.Revoked());
        assertThat(server.isValid(tokens.accessToken())).isFalse();
    }

    @Test
    void deviceIsPolled() {
        ServerReply.DeviceCode begun = (ServerReply.DeviceCode) send(ServerRequest.Kind.DEVICE_BEGIN, null);
        assertThat(begun.address()).endsWith("/enter");
        assertThat(send(ServerRequest.Kind.DEVICE_POLL, begun.deviceCode())).isEqualTo(new ServerReply.NotYet(false));
        server.enter(begun.userCode(), "ann");

        assertThat(send(ServerRequest.Kind.DEVICE_POLL, begun.deviceCode())).isInstanceOf(ServerReply.Tokens.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"500|{}", "503|down", "429|{}", "400|{\"error\":\"server_error\"}",
            "400|{\"error\":\"temporarily_unavailable\"}", "200|<html>access-token-in-a-page",
            "200|{\"access_token\":7}"})
    void serverThatIsBrokenIsTriedAgain(int status, String body) {
        server.fail(new Fault(status, body));

        assertThat(send(ServerRequest.Kind.REFRESH, "r")).isInstanceOfSatisfying(ServerReply.Unavailable.class,
                reply -> assertThat(reply.reason()).doesNotContain("access-token-in-a-page"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{\"error\":\"invalid_scope\",\"error_description\":\"no\"}|invalid_scope",
            "{\"error\":\"slow_down\"}|", "{\"error\":\"expired_token\"}|expired_token"})
    void refusalHasItsCode(String body, @Nullable String code) {
        server.fail(new Fault(400, body));

        ServerReply reply = send(ServerRequest.Kind.DEVICE_POLL, "d");
        if (code == null)
            assertThat(reply).isEqualTo(new ServerReply.NotYet(true));
        else
            assertThat(((ServerReply.Refused) reply).code()).isEqualTo(code);
    }

    // GitHub answers errors of the token endpoint with status 200.
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"200|{\"error\":\"expired_token\"}|expired_token",
            "200|{\"error\":\"bad_refresh_token\"}|invalid_grant", "401|{\"error\":\"invalid_client\"}|invalid_client",
            "400|<html>|invalid_response", "400|{\"error\":\"two\\nlines\"}|invalid_response"})
    void errorCountsWhateverItsStatus(int status, String body, String code) {
        server.fail(new Fault(status, body));

        assertThat(send(ServerRequest.Kind.REFRESH, "r")).isInstanceOfSatisfying(ServerReply.Refused.class,
                refused -> assertThat(refused.code()).isEqualTo(code));
    }

    @Test
    void errorCodeIsBounded() {
        server.fail(new Fault(400, "{\"error\":\"" + "x".repeat(65) + "\"}"));

        assertThat(((ServerReply.Refused) send(ServerRequest.Kind.REFRESH, "r")).code()).isEqualTo("invalid_response");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"200|{\"error\":\"authorization_pending\"}|false",
            "429|{\"error\":\"slow_down\"}|true"})
    void devicePollGoesOnWhateverTheStatus(int status, String body, boolean slowDown) {
        server.fail(new Fault(status, body));

        assertThat(send(ServerRequest.Kind.DEVICE_POLL, "d")).isEqualTo(new ServerReply.NotYet(slowDown));
    }

    @ParameterizedTest
    @ValueSource(strings = {"repo,gist", "repo gist", "repo, gist"})
    void scopesMayHaveCommas(String scopes) {
        server.fail(new Fault(200,
                "{\"access_token\":\"a\",\"token_type\":\"bearer\",\"scope\":\"" + scopes + "\"}"));

        assertThat(((ServerReply.Tokens) send(ServerRequest.Kind.REFRESH, "r")).scopes()).containsExactly("repo",
                "gist");
    }

    // Otherwise: the code, which is used by then, is sent again and refused.
    @Test
    void personIsRequestedAgainWithoutTheCode() {
        server.failPerson(500, 503);
        assertThat(exchange(code("ann"), VERIFIER)).isInstanceOfSatisfying(ServerReply.Tokens.class,
                tokens -> assertThat(tokens.person()).isEqualTo("ann"));
        server.failPerson(500, 429, 500);
        assertThat(exchange(code("ann"), VERIFIER)).isInstanceOfSatisfying(ServerReply.Refused.class,
                refused -> assertThat(refused.code()).isEqualTo("unavailable"));
        server.failPerson(403);
        assertThat(exchange(code("ann"), VERIFIER)).isInstanceOfSatisfying(ServerReply.Refused.class,
                refused -> assertThat(refused.code()).isEqualTo("subject_mismatch"));
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void answerHasABoundOfTimeAndSize() {
        CountDownLatch held = server.hold();
        assertThat(send(ServerRequest.Kind.REFRESH, "r")).isInstanceOf(ServerReply.Unavailable.class);
        held.countDown();
        server.fail(new Fault(200, "{\"access_token\":\"" + "a".repeat(BoundedSender.LARGEST) + "\"}"));
        assertThat(send(ServerRequest.Kind.REFRESH, "r")).isInstanceOf(ServerReply.Unavailable.class);
    }

    @ParameterizedTest
    @CsvSource({"302", "400", "404"})
    void revocationThatIsNotConfirmedIsNone(int status) {
        server.failRevocation(status);

        assertThat(send(ServerRequest.Kind.REVOKE, "r")).isInstanceOf(ServerReply.Refused.class);
        assertThat(send(ServerRequest.Kind.REVOKE, "r")).isEqualTo(new ServerReply.Revoked());
    }

    @Test
    void serverThatIsAwayIsNamed() {
        server.close();

        assertThat(((ServerReply.Unavailable) send(ServerRequest.Kind.REFRESH, "r")).reason())
                .contains("Chat", "cannot be reached");
    }

    @Test
    void secretThatIsNotSetIsNamed() {
        ServerReply reply = new AuthorizationServers(Map.of(), Apps.PUBLIC_URL).send(app(),
                new ServerRequest("acme", "chat", ServerRequest.Kind.REFRESH, "r", null, List.of()));

        assertThat(((ServerReply.Unavailable) reply).reason()).contains("clientSecret", "CHAT_SECRET");
    }

    private OAuthAppSpec app() {
        return Apps.app(server.url(), "authorizationCode", "user",
                ",\"revokeUrl\":\"" + server.url() + "/revoke\",\"userInfoUrl\":\"" + server.url() + "/me\"");
    }

    private String code(String person) {
        URI back = server.authorize(server.url() + "/auth?response_type=code&client_id=toolfleet&code_challenge="
                + CHALLENGE + "&code_challenge_method=S256&scope=read&state=s&redirect_uri="
                + "https%3A%2F%2Ffleet.example%2Ftools%2Foauth%2Fcallback", person);
        return String.valueOf(TestAuthorizationServer.form(back.getRawQuery()).get("code"));
    }

    private ServerReply exchange(String code, String verifier) {
        return servers.send(app(), new ServerRequest("acme", "chat", ServerRequest.Kind.EXCHANGE, code, verifier,
                List.of("read")));
    }

    private ServerReply send(ServerRequest.Kind kind, @Nullable String secret) {
        return servers.send(app(), new ServerRequest("acme", "chat", kind, secret, null, List.of("read")));
    }
}
