package dev.toolfleet.oauth.grant;

import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.OAuthAppSpec;
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

class GrantRulesTest {
    private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");
    private static final String ANN = "chat:ann";
    private static final String ID = GrantIds.of("acme", "chat", ANN);
    /// The verifier of RFC 7636, appendix B.
    private static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    private static final ServerReply.Tokens TOKENS = new ServerReply.Tokens("access-1", "Bearer", 3600L, "refresh-1",
            null, null);

    private final Secrets secrets = new Secrets(Apps.KEYS);
    private OAuthAppSpec app = Apps.app("https://chat.example", "authorizationCode", "user", "");
    private GrantState state = GrantState.NONE;
    private List<GrantEffect> effects = List.of();

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
    void refreshesAtOnceAreOne() {
        granted();
        order(new Order.Refresh(1));
        order(new Order.Refresh(1));
        assertThat(state.tasks()).hasSize(1);
        assertThat(rules().request(state, "refresh-1").orElseThrow().secret()).isEqualTo("refresh-1");
        reply("refresh-1", new ServerReply.Tokens("access-2", "Bearer", 3600L, null, null, null));
        order(new Order.Refresh(1));

        assertThat(state.tasks()).as("a version that was refreshed already").isEmpty();
        Secrets.OfGrant secret = secrets.grant(ID, requireNonNull(requireNonNull(state.grant()).secret()));
        assertThat(secret.accessToken()).isEqualTo("access-2");
        assertThat(secret.refreshToken()).as("the old one stays").isEqualTo("refresh-1");
    }

    @Test
    void refreshThatIsRefusedRevokes() {
        granted();
        order(new Order.Refresh(1));
        reply("refresh-1", new ServerReply.Refused("invalid_grant", null));

        assertThat(requireNonNull(state.grant()).revokedAt()).isEqualTo(NOW);
        assertThat(requireNonNull(state.grant()).secret()).isNull();
    }

    @Test
    void refreshOfAServerThatIsDownIsTriedThreeTimes() {
        granted();
        order(new Order.Refresh(1));
        for (int attempt = 1; attempt < 3; attempt++) {
            reply("refresh-1", new ServerReply.Unavailable("it answers 500"));
            assertThat(state.tasks()).hasSize(1);
            assertThat(GrantRules.dueTasks(state, NOW)).isEmpty();
            assertThat(GrantRules.dueTasks(state, NOW.plusSeconds(5))).hasSize(1);
        }
        reply("refresh-1", new ServerReply.Unavailable("it answers 500"));

        assertThat(state.tasks()).isEmpty();
        assertThat(requireNonNull(state.grant()).refreshError()).isEqualTo("unavailable");
        assertThat(requireNonNull(state.grant()).revokedAt()).isNull();
        assertThat(requireNonNull(state.grant()).secret()).isNotNull();
    }

    @Test
    void answerAfterARevocationIsDropped() {
        granted();
        order(new Order.Refresh(1));
        order(new Order.Revoke());
        reply("refresh-1", TOKENS);

        assertThat(requireNonNull(state.grant()).secret()).isNull();
        assertThat(requireNonNull(state.grant()).version()).isEqualTo(2);
    }

    // Otherwise: a grant whose key is lost can never be revoked.
    @Test
    void grantThatCannotBeOpenedIsRevoked() {
        app = Apps.app("https://chat.example", "authorizationCode", "user",
                ",\"revokeUrl\":\"https://chat.example/r\"");
        granted();
        Secrets other = new Secrets(KeyRing.parse(KeyRing.newEntry("k2"), "a test"));
        take(new GrantRules(other, Apps.having(app), Apps.PUBLIC_URL).ordered(ID, state, new Order.Revoke(), NOW));

        assertThat(requireNonNull(state.grant()).revokedAt()).isEqualTo(NOW);
        assertThat(state.tasks()).isEmpty();
    }

    // Otherwise: a link that the person ends after the revocation brings the access back.
    @Test
    void revocationEndsAuthorizationsUnderWay() {
        granted();
        order(authorize("as-2", "h-2"));
        order(callback("as-2", "c-2", "code-2", null, null));
        order(authorize("as-3", "h-3"));
        order(new Order.Revoke());

        assertThat(List.of(session("as-2"), session("as-3"))).extracting(OAuthSession::error)
                .containsExactly("revoked", "revoked");
        assertThat(decisions()).extracting(Decision::decision).containsExactly(Decision.Verdict.REJECT,
                Decision.Verdict.REJECT);
        assertThat(state.tasks()).isEmpty();
        reply("exchange-as-2", TOKENS);
        assertThat(requireNonNull(state.grant()).revokedAt()).isEqualTo(NOW);
        order(authorize("as-4", null, "write"));
        assertThat(session("as-4").scopes()).as("a revoked grant adds none").containsExactly("write");
    }

    // Otherwise: a late refusal of the old refresh token revokes the new grant.
    @Test
    void answerAfterANewAuthorizationIsDropped() {
        for (ServerReply late : List.of(new ServerReply.Refused("invalid_grant", null),
                new ServerReply.Tokens("old", "Bearer", 3600L, "old", null, null))) {
            state = GrantState.NONE;
            granted();
            order(new Order.Refresh(1));
            order(authorize("as-2", null, "write"));
            order(callback("as-2", "c-2", "code-2", null, null));
            reply("exchange-as-2", new ServerReply.Tokens("access-2", "Bearer", 3600L, "refresh-2", null, null));
            reply("refresh-1", late);

            assertThat(token()).isEqualTo("access-2");
        }
    }

    @Test
    void answerAfterANewKeyCounts() {
        granted();
        order(new Order.Refresh(1));
        Secrets after = new Secrets(KeyRing.parse(KeyRing.newEntry("k2") + "," + Apps.KEY, "a test"));
        take(new GrantRules(after, Apps.having(app), Apps.PUBLIC_URL).ordered(ID, state, new Order.Reseal(), NOW));
        take(new GrantRules(after, Apps.having(app), Apps.PUBLIC_URL).replied(ID, state, "refresh-1",
                new ServerReply.Tokens("access-2", "Bearer", 3600L, null, null, null), NOW));

        assertThat(after.grant(ID, requireNonNull(requireNonNull(state.grant()).secret())).accessToken())
                .isEqualTo("access-2");
    }

    @Test
    void revocationReachesTheServer() {
        app = Apps.app("https://chat.example", "authorizationCode", "user",
                ",\"revokeUrl\":\"https://chat.example/r\"");
        granted();
        order(new Order.Revoke());

        assertThat(rules().request(state, "revoke-1").orElseThrow().secret()).isEqualTo("refresh-1");
        assertThat(GrantRules.unrevoked(state, "revoke-1", new ServerReply.Refused("invalid_client", null)))
                .contains("invalid_client");
        assertThat(GrantRules.unrevoked(state, "revoke-1", new ServerReply.Revoked())).isEmpty();
        reply("revoke-1", new ServerReply.Revoked());
        assertThat(state.tasks()).isEmpty();
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

    @Test
    void grantIsSealedWithTheNewKey() {
        String old = KeyRing.newEntry("k1");
        String next = KeyRing.newEntry("k2");
        Secrets before = new Secrets(KeyRing.parse(old, "a test"));
        Secrets after = new Secrets(KeyRing.parse(next + "," + old, "a test"));
        OAuthGrant grant = new OAuthGrant(ID, "acme", "chat", "Chat", "h", List.of("read"), null, true, 1, null, null,
                NOW, NOW, before.seal(ID, new Secrets.OfGrant(ANN, "access-1", "Bearer", "refresh-1", null)));
        state = GrantState.NONE.with(grant);
        take(new GrantRules(after, Apps.having(app), Apps.PUBLIC_URL).ordered(ID, state, new Order.Reseal(), NOW));

        OAuthGrant sealed = requireNonNull(state.grant());
        assertThat(sealed.version()).as("a call that waits for a refresh goes on waiting").isEqualTo(1);
        assertThat(sealed.issuedAt()).as("the token's age stays").isEqualTo(NOW);
        assertThat(requireNonNull(sealed.secret()).keyId()).isEqualTo("k2");
        assertThat(new Secrets(KeyRing.parse(next, "a test")).grant(ID, requireNonNull(sealed.secret())).accessToken())
                .isEqualTo("access-1");
        take(new GrantRules(after, Apps.having(app), Apps.PUBLIC_URL).ordered(ID, state, new Order.Reseal(), NOW));
        assertThat(effects).as("it has the current key already").isEmpty();
    }

    @Test
    void idsAreDeterministicAndDifferByBundleAppAndSubject() {
        assertThat(GrantIds.of("acme", "chat", ANN)).matches("grant-[0-9a-f]{16}").isEqualTo(ID);
        assertThat(List.of(GrantIds.of("acme", "chat", "chat:bob"), GrantIds.of("acme", "other", ANN),
                GrantIds.of("other", "chat", ANN))).doesNotContain(ID).doesNotHaveDuplicates();
    }

    private String token() {
        return secrets.grant(ID, requireNonNull(requireNonNull(state.grant()).secret())).accessToken();
    }

    private void granted() {
        order(authorize("as-1", null));
        order(callback("as-1", "c-1", "code-1", null, null));
        reply("exchange-as-1", TOKENS);
    }

    private GrantRules rules() {
        return new GrantRules(secrets, Apps.having(app), Apps.PUBLIC_URL);
    }

    private static Order authorize(String sessionId, @Nullable String handle) {
        return authorize(sessionId, handle, "read");
    }

    private static Order authorize(String sessionId, @Nullable String handle, String... scopes) {
        return new Order.Authorize(sessionId, "acme", "chat", ANN, List.of(scopes), VERIFIER, "00ff", handle, "chat-7",
                "coder");
    }

    private static Order callback(String sessionId, String callbackId, @Nullable String code, @Nullable String error,
            @Nullable String words) {
        return new Order.Callback(sessionId, callbackId, "/oauth/callback", code, error, words, null);
    }

    private void order(Order order) {
        take(rules().ordered(ID, state, order, NOW));
    }

    private void reply(String taskId, ServerReply reply) {
        take(rules().replied(ID, state, taskId, reply, NOW));
    }

    private void passed(Instant at) {
        take(rules().timePassed(state, at));
    }

    private void take(GrantStep step) {
        state = step.next();
        effects = step.effects();
    }

    private OAuthSession session(String id) {
        return state.session(id).orElseThrow();
    }

    private List<Decision> decisions() {
        return effects.stream().filter(GrantEffect.Decide.class::isInstance)
                .map(effect -> ((GrantEffect.Decide) effect).decision()).toList();
    }

    private static Map<String, String> query(String url) {
        return Arrays.stream(URI.create(url).getRawQuery().split("&")).map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }
}
