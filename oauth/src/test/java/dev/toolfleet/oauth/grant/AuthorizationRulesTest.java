package dev.toolfleet.oauth.grant;

import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.toolfleet.oauth.seal.KeyRing;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.OAuthSession;
import dev.toolfleet.wire.OAuthSession.Status;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class AuthorizationRulesTest extends GrantFixture {
    @Test
    void authorizationUrlHasPkceAndASignedState() {
        order(authorize("as-1", "h-1"));

        OAuthSession session = session("as-1");
        Map<String, String> query = query(requireNonNull(session.authorizationUrl()));
        assertThat(session.authorizationUrl()).startsWith("https://chat.example/auth?tenant=1&");
        assertThat(query).containsEntry("response_type", "code").containsEntry("client_id", "toolfleet")
                .containsEntry("redirect_uri", "https%3A%2F%2Ffleet.example%2Ftools%2Foauth%2Fcallback")
                .containsEntry("scope", "read").containsEntry("prompt", "consent")
                .containsEntry("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
                .containsEntry("code_challenge_method", "S256");
        String token = requireNonNull(query.get("state"));
        assertThat(StateToken.read(token, Apps.KEYS))
                .contains(new StateToken("as-1", "00ff", NOW.getEpochSecond()));
        assertThat(StateToken.read(token + "A", Apps.KEYS)).isEmpty();
        assertThat(StateToken.read("no state", Apps.KEYS)).isEmpty();
        assertThat(StateToken.read(token, KeyRing.parse(KeyRing.newEntry("k1"), "a test"))).isEmpty();
    }

    @Test
    void grantResumesTheCallsAndInformsTheInstances() {
        order(authorize("as-1", "h-1"));
        order(authorize("as-2", "h-2"));
        assertThat(state.sessions()).as("the second call joins the first's authorization").hasSize(1);
        order(callback("as-1", "c-1", "code-1", null, null));
        assertThat(session("as-1").status()).isEqualTo(Status.EXCHANGING);
        assertThat(rules().request(state, "exchange-as-1").orElseThrow()).satisfies(request -> {
            assertThat(request.secret()).isEqualTo("code-1");
            assertThat(request.codeVerifier()).isEqualTo(VERIFIER);
        });
        reply("exchange-as-1", TOKENS);

        OAuthGrant grant = requireNonNull(state.grant());
        assertThat(grant.scopes()).containsExactly("read");
        assertThat(grant.expiresAt()).isEqualTo(NOW.plusSeconds(3600));
        assertThat(secrets.grant(ID, requireNonNull(grant.secret())).accessToken()).isEqualTo("access-1");
        assertThat(grant.toString()).doesNotContain("access-1", "refresh-1", ANN);
        assertThat(decisions()).extracting(Decision::handle, Decision::decision).containsExactly(
                tuple("h-1", Decision.Verdict.APPROVE),
                tuple("h-2", Decision.Verdict.APPROVE));
        assertThat(effects).filteredOn(GrantEffect.Tell.class::isInstance).hasSize(1).first()
                .satisfies(effect -> assertThat(((GrantEffect.Tell) effect).event()).satisfies(event -> {
                    assertThat(event.name()).isEqualTo("auth.granted");
                    assertThat(event.to().toString()).isEqualTo("coder@chat-7");
                    assertThat(requireNonNull(event.payload()).path("subject").asString()).isEqualTo(ANN);
                    assertThat(requireNonNull(event.payload()).path("scopesGranted").get(0).asString())
                            .isEqualTo("read");
                }));
        assertThat(session("as-1").secret()).isNull();
    }

    @Test
    void orderThatIsReadAgainJoinsOnce() {
        order(authorize("as-1", "h-1"));
        order(authorize("as-2", "h-2"));
        GrantState before = state;
        order(authorize("as-2", "h-2"));
        assertThat(state).isEqualTo(before);
        assertThat(session("as-1").took("as-2")).isTrue();
        order(callback("as-1", "c-1", null, "access_denied", null));
        order(authorize("as-2", "h-2"));

        assertThat(state.sessions()).as("its authorization has ended, and no other begins").hasSize(1);
    }

    // Otherwise: the person ends the old link, and a call of the new authorization waits for a second one.
    @Test
    void grantResumesTheCallsOfOtherAuthorizations() {
        order(authorize("as-1", "h-1"));
        Instant late = NOW.plus(AuthorizationRules.SESSION_TTL).minusSeconds(60);
        take(rules().ordered(ID, state, authorize("as-2", "h-2"), late));
        assertThat(session("as-1").took("as-2")).as("too late to join").isFalse();
        order(callback("as-1", "c-1", "code-1", null, null));
        reply("exchange-as-1", TOKENS);

        assertThat(session("as-2").status()).isEqualTo(Status.COMPLETED);
        assertThat(decisions()).extracting(Decision::handle, Decision::decision).containsExactly(
                tuple("h-1", Decision.Verdict.APPROVE), tuple("h-2", Decision.Verdict.APPROVE));
    }

    @Test
    void grantThatIsTooNarrowLeavesOtherAuthorizationsOpen() {
        order(authorize("as-1", "h-1"));
        order(authorize("as-2", "h-2", "write"));
        order(callback("as-1", "c-1", "code-1", null, null));
        reply("exchange-as-1", TOKENS);

        assertThat(session("as-2").status()).isEqualTo(Status.PENDING);
        assertThat(decisions()).hasSize(1);
    }

    // Otherwise: two exports with different scopes displace each other's grant for ever.
    @Test
    void newAuthorizationKeepsTheScopesOfTheGrant() {
        granted();
        order(authorize("as-2", null, "write"));

        assertThat(query(requireNonNull(session("as-2").authorizationUrl()))).containsEntry("scope", "write%20read");
        order(callback("as-2", "c-2", "code-2", null, null));
        reply("exchange-as-2", TOKENS);
        assertThat(requireNonNull(state.grant()).scopes()).containsExactlyInAnyOrder("read", "write");
    }

    @Test
    void newAuthorizationLeavesOutScopesThatTheAppHasLost() {
        order(authorize("as-1", null));
        order(callback("as-1", "c-1", "code-1", null, null));
        reply("exchange-as-1", new ServerReply.Tokens("a", "Bearer", null, null, List.of("read", "admin"), null));
        order(authorize("as-2", null, "write"));

        assertThat(session("as-2").scopes()).containsExactly("write", "read");
    }

    @Test
    void secondCallbackChangesNothing() {
        order(authorize("as-1", "h-1"));
        order(callback("as-1", "c-1", "code-1", null, null));
        GrantState before = state;
        order(callback("as-1", "c-2", "code-1", null, null));

        assertThat(state).isEqualTo(before);
        assertThat(session("as-1").usedBy()).isEqualTo("c-1");
    }

    @Test
    void personWhoDeclinesEndsTheCalls() {
        order(authorize("as-1", "h-1"));
        order(callback("as-1", "c-1", null, "access_denied", "No."));

        assertThat(session("as-1").status()).isEqualTo(Status.FAILED);
        assertThat(session("as-1").error()).isEqualTo("access_denied");
        assertThat(decisions()).extracting(Decision::decision).containsExactly(Decision.Verdict.REJECT);
        assertThat(state.grant()).isNull();
    }

    @Test
    void callbackOfAnotherIssuerIsRefused() {
        app = Apps.app("https://chat.example", "authorizationCode", "user", ",\"issuer\":\"https://chat.example\"");
        order(authorize("as-1", null));
        order(new Order.Callback("as-1", "c-1", null, "code-1", null, null, "https://evil.example"));

        assertThat(session("as-1").error()).isEqualTo("invalid_issuer");
        order(authorize("as-2", null));
        order(new Order.Callback("as-2", "c-2", null, "code-2", null, null, "https://chat.example"));
        assertThat(session("as-2").status()).isEqualTo(Status.EXCHANGING);
    }

    // RFC 9700 4.4: otherwise, a server that is not honest gets the code of another by its own callback.
    @Test
    void callbackOfAnotherAppsPathIsRefused() {
        order(authorize("as-1", null));
        order(new Order.Callback("as-1", "c-1", "/oauth/callback/other", "code-1", null, null, null));

        assertThat(session("as-1").error()).isEqualTo("invalid_issuer");
        order(authorize("as-2", null));
        order(new Order.Callback("as-2", "c-2", null, "code-2", null, null, null));
        assertThat(session("as-2").status()).as("a gateway of an earlier version").isEqualTo(Status.EXCHANGING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"two\nlines", "quo\"te", ""})
    void errorOfACallbackIsBounded(String error) {
        order(authorize("as-1", null));
        order(callback("as-1", "c-1", null, error, null));

        assertThat(session("as-1").error()).isEqualTo("invalid_response");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bob", "chat:bob", "nn", "ann"})
    void grantOfAnotherPersonIsNotKept(String person) {
        order(authorize("as-1", "h-1"));
        order(callback("as-1", "c-1", "code-1", null, null));
        reply("exchange-as-1", new ServerReply.Tokens("a", "Bearer", null, null, null, person));

        assertThat(session("as-1").error()).isEqualTo("subject_mismatch");
        assertThat(state.grant()).isNull();
        assertThat(decisions()).extracting(Decision::decision).containsExactly(Decision.Verdict.REJECT);
    }

    // Otherwise: the refresh token of one account and the access token of another stand in one grant.
    @ParameterizedTest
    @CsvSource(value = {"chat:ann,chat:ann,true", ",,false", ",chat:ann,false", "chat:ann,,false"})
    void oldRefreshTokenStaysWithTheSamePersonAlone(@Nullable String before, @Nullable String after, boolean stays) {
        order(authorize("as-1", null));
        order(callback("as-1", "c-1", "code-1", null, null));
        reply("exchange-as-1", new ServerReply.Tokens("a-1", "Bearer", 60L, "refresh-1", null, before));
        order(authorize("as-2", null));
        order(callback("as-2", "c-2", "code-2", null, null));
        reply("exchange-as-2", new ServerReply.Tokens("a-2", "Bearer", 60L, null, null, after));

        assertThat(requireNonNull(state.grant()).refreshable()).isEqualTo(stays);
    }

    @Test
    void oldRefreshTokenThatGivesLessIsNotKept() {
        order(authorize("as-1", null));
        order(callback("as-1", "c-1", "code-1", null, null));
        reply("exchange-as-1", new ServerReply.Tokens("a-1", "Bearer", 60L, "refresh-1", null, ANN));
        order(authorize("as-2", null, "write"));
        order(callback("as-2", "c-2", "code-2", null, null));
        reply("exchange-as-2", new ServerReply.Tokens("a-2", "Bearer", 60L, null, null, ANN));

        assertThat(requireNonNull(state.grant()).refreshable()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"ann|,\"userInfoPrefix\":\"chat:\"", "chat:ann|''"})
    void grantOfThePersonIsKept(String person, String prefix) {
        app = Apps.app("https://chat.example", "authorizationCode", "user", prefix);
        order(authorize("as-1", null));
        order(callback("as-1", "c-1", "code-1", null, null));
        reply("exchange-as-1", new ServerReply.Tokens("a", "Bearer", null, null, List.of("read", "write"), person));

        assertThat(requireNonNull(state.grant()).scopes()).containsExactly("read", "write");
        assertThat(requireNonNull(state.grant()).expiresAt()).isNull();
    }

    @Test
    void authorizationEndsByItself() {
        order(authorize("as-1", "h-1"));
        assertThat(state.due()).contains(NOW.plus(AuthorizationRules.SESSION_TTL));
        passed(NOW.plus(AuthorizationRules.SESSION_TTL));
        assertThat(session("as-1").status()).isEqualTo(Status.EXPIRED);
        order(callback("as-1", "c-1", "code-1", null, null));
        assertThat(session("as-1").usedBy()).as("a late callback").isNull();
        passed(NOW.plus(AuthorizationRules.SESSION_TTL).plus(GrantState.REMEMBERED));

        assertThat(state.isEmpty()).isTrue();
        assertThat(effects).containsExactly(new GrantEffect.Forget("as-1"));
    }

    @Test
    void exchangeThatOutlastsTheAuthorizationStillMakesAGrant() {
        order(authorize("as-1", "h-1"));
        order(callback("as-1", "c-1", "code-1", null, null));
        passed(NOW.plus(AuthorizationRules.SESSION_TTL).plusSeconds(1));
        reply("exchange-as-1", TOKENS);

        assertThat(session("as-1").status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void devicePollsUntilThePersonHasEnteredTheCode() {
        app = Apps.app("https://chat.example", "deviceCode", "user", "");
        order(authorize("as-1", "h-1"));
        assertThat(session("as-1").authorizationUrl()).isNull();
        reply("begin-as-1", new ServerReply.DeviceCode("device-1", "WDJB-MJHT", "https://chat.example/device", 900, 5));
        assertThat(session("as-1").userCode()).isEqualTo("WDJB-MJHT");
        assertThat(GrantRules.dueTasks(state, NOW.plusSeconds(4))).isEmpty();
        reply("poll-as-1", new ServerReply.NotYet(true));
        assertThat(GrantRules.dueTasks(state, NOW.plusSeconds(9))).as("slow_down adds 5 s").isEmpty();
        assertThat(GrantRules.dueTasks(state, NOW.plusSeconds(10))).hasSize(1);
        assertThat(rules().request(state, "poll-as-1").orElseThrow().secret()).isEqualTo("device-1");
        reply("poll-as-1", TOKENS);

        assertThat(session("as-1").status()).isEqualTo(Status.COMPLETED);
        assertThat(decisions()).hasSize(1);
        assertThat(state.tasks()).isEmpty();
    }

    @Test
    void devicePollsThroughAnOutageUntilItsEnd() {
        app = Apps.app("https://chat.example", "deviceCode", "user", "");
        order(authorize("as-1", "h-1"));
        reply("begin-as-1", new ServerReply.DeviceCode("device-1", "WDJB-MJHT", "https://chat.example/device", 900, 5));
        for (int i = 1; i <= 5; i++) {
            reply("poll-as-1", new ServerReply.Unavailable("it answers 500"));
            assertThat(GrantRules.dueTasks(state, NOW.plusSeconds(5L * i))).isEmpty();
            assertThat(GrantRules.dueTasks(state, NOW.plusSeconds(5L * i + 5))).hasSize(1);
        }
        assertThat(session("as-1").status()).isEqualTo(Status.PENDING);
        passed(NOW.plus(AuthorizationRules.SESSION_TTL));
        assertThat(session("as-1").status()).isEqualTo(Status.EXPIRED);
        assertThat(state.tasks()).isEmpty();
    }

    @Test
    void personThatTheServerDoesNotNameIsSaid() {
        order(authorize("as-1", "h-1"));
        order(callback("as-1", "c-1", "code-1", null, null));
        reply("exchange-as-1", new ServerReply.Refused("subject_mismatch", "no sub"));

        assertThat(session("as-1").error()).isEqualTo("subject_mismatch");
    }

    @Test
    void unknownAppIsReportedInTheSession() {
        order(new Order.Authorize("as-1", "acme", "other", ANN, List.of("read"), VERIFIER, "00ff", "h-1", "i", "a"));

        assertThat(session("as-1").error()).isEqualTo("unavailable");
        assertThat(session("as-1").errorDescription()).contains("OAuthApp 'other'");
    }

    @Test
    void fleetWithoutAPublicAddressSaysSo() {
        GrantStep step = new GrantRules(secrets, Apps.having(app), Optional.empty()).ordered(ID, state,
                authorize("as-1", null), NOW);

        assertThat(step.next().sessions().getFirst().errorDescription()).contains("oauth.publicUrl");
    }

    private static Map<String, String> query(String url) {
        return Arrays.stream(URI.create(url).getRawQuery().split("&")).map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }
}
