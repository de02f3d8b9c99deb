package dev.toolfleet.oauth.grant;

import java.util.List;

import dev.toolfleet.oauth.seal.KeyRing;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.OAuthSession;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class GrantRulesTest extends GrantFixture {
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
}
