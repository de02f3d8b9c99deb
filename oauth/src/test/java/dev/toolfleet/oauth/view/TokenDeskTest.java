package dev.toolfleet.oauth.view;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.bundle.OAuthAppSpec;
import dev.toolfleet.oauth.grant.Apps;
import dev.toolfleet.oauth.grant.GrantEffect;
import dev.toolfleet.oauth.grant.GrantIds;
import dev.toolfleet.oauth.grant.GrantRules;
import dev.toolfleet.oauth.grant.GrantState;
import dev.toolfleet.oauth.grant.GrantStep;
import dev.toolfleet.oauth.grant.Order;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.grant.ServerReply;
import dev.toolfleet.oauth.seal.KeyRing;
import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.OAuthSession;
import dev.toolfleet.wire.WireCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The desk's answers, with the real rules of the owner, which carries out each order at once.
class TokenDeskTest {
    private static final String ID = GrantIds.of("acme", "chat", "ann");
    private static final Duration MIN_TTL = Duration.ofMinutes(5);
    private static final TokenDesk.Claim CLAIM = new TokenDesk.Claim("acme", "chat", List.of("read"), "ann", "i",
            "coder");

    private final OAuthAppSpec app = Apps.app("https://chat.example", "authorizationCode", "user", "");
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-28T12:00:00Z"));
    private final List<Order> orders = new ArrayList<>();
    private final List<String> issued = new ArrayList<>();
    private final GrantView view = new GrantView();
    private Secrets secrets = new Secrets(Apps.KEYS);
    private GrantState state = GrantState.NONE;
    private ServerReply refreshed = tokens("access-2", null);
    private final TokenDesk desk = desk(secrets);

    @Test
    void callWithoutAGrantGetsTheLinkOfItsOwnAuthorization() throws Exception {
        TokenAnswer.Required first = (TokenAnswer.Required) answer("h-1");
        assertThat(((TokenAnswer.Required) answer("h-2")).authorizationUrl()).as("one link for both")
                .isEqualTo(first.authorizationUrl());
        now.set(now.get().plus(Duration.ofMinutes(9)));
        TokenAnswer.Required late = (TokenAnswer.Required) answer("h-3");

        assertThat(late.authSessionId()).as("the old link has a minute left, and the owner has not joined them")
                .isNotEqualTo(first.authSessionId());
        complete(late.authSessionId(), tokens("access-1", null));
        assertThat(answer("h-4")).isInstanceOfSatisfying(TokenAnswer.Ready.class,
                ready -> assertThat(ready.accessToken()).isEqualTo("access-1"));
        assertThat(issued).containsExactly("access-1");
    }

    @Test
    void grantOfALostKeyIsAsGoodAsNone() throws Exception {
        complete(((TokenAnswer.Required) answer(null)).authSessionId(), tokens("access-1", null));
        secrets = new Secrets(KeyRing.parse(KeyRing.newEntry("k2"), "a test"));
        TokenDesk other = desk(secrets);
        TokenAnswer.Required required = (TokenAnswer.Required) other.answer(CLAIM, MIN_TTL, List.of());
        complete(required.authSessionId(), tokens("access-2", null));

        assertThat(other.answer(CLAIM, MIN_TTL, List.of())).isInstanceOfSatisfying(TokenAnswer.Ready.class,
                ready -> assertThat(ready.accessToken()).isEqualTo("access-2"));
    }

    // Otherwise: the token is forgotten last, whenever that is.
    @Test
    void openedTokensAreForgottenWithTheirGrant() throws Exception {
        OpenedGrants opened = new OpenedGrants(secrets);
        view.follow(opened::forget);
        complete(((TokenAnswer.Required) answer(null)).authSessionId(), tokens("access-1", null));
        opened.open(view.grant(ID).orElseThrow());
        assertThat(opened.size()).isEqualTo(1);
        ordered(new Order.Revoke());

        assertThat(opened.size()).isZero();
    }

    @Test
    void whatAGrantGivesIsKnownWithoutAnOrder() throws Exception {
        assertThat(desk.held(CLAIM, MIN_TTL, List.of())).isEmpty();
        assertThat(orders).isEmpty();
        complete(((TokenAnswer.Required) answer(null)).authSessionId(), tokens("access-1", "refresh-1"));
        assertThat(desk.held(CLAIM, MIN_TTL, List.of())).get().isInstanceOf(TokenAnswer.Ready.class);
        assertThat(desk.held(new TokenDesk.Claim("acme", "none", List.of(), "ann", "i", null), MIN_TTL, List.of()))
                .get().isInstanceOf(TokenAnswer.Failed.class);
    }

    // Otherwise: a short token that was sealed anew seems young, and is refreshed by each call.
    @Test
    void lifeOfATokenBeginsWithItsIssue() throws Exception {
        complete(((TokenAnswer.Required) answer(null)).authSessionId(),
                new ServerReply.Tokens("access-1", "Bearer", 400L, "refresh-1", null, null));
        now.set(now.get().plusSeconds(101));
        secrets = new Secrets(KeyRing.parse(KeyRing.newEntry("k2") + "," + Apps.KEY, "a test"));
        ordered(new Order.Reseal());

        assertThat(desk(secrets).answer(CLAIM, MIN_TTL, List.of())).isInstanceOfSatisfying(TokenAnswer.Ready.class,
                ready -> assertThat(ready.accessToken()).as("299 s of 400 are left").isEqualTo("access-2"));
    }

    private TokenAnswer answer(@Nullable String handle) throws InterruptedException {
        Optional<TokenAnswer> held = desk.held(CLAIM, MIN_TTL, List.of());
        return held.isPresent() ? held.get() : desk.authorize(CLAIM, List.of(), handle);
    }

    private TokenDesk desk(Secrets with) {
        return new TokenDesk(Apps.having(app), with, view, (grant, order) -> ordered(order), issued::add, now::get);
    }

    private static ServerReply tokens(String access, @Nullable String refresh) {
        return new ServerReply.Tokens(access, "Bearer", 3600L, refresh, null, null);
    }

    private GrantRules rules() {
        return new GrantRules(secrets, Apps.having(app), Apps.PUBLIC_URL);
    }

    private void complete(String sessionId, ServerReply reply) {
        ordered(new Order.Callback(sessionId, "c-" + sessionId, null, "code", null, null, null));
        take(rules().replied(ID, state, "exchange-" + sessionId, reply, now.get()));
    }

    private void ordered(Order order) {
        orders.add(order);
        take(rules().ordered(ID, state, order, now.get()));
        if (order instanceof Order.Refresh) {
            for (GrantRules.Due due : GrantRules.dueTasks(state, now.get()))
                take(rules().replied(ID, state, due.taskId(), refreshed, now.get()));
        }
    }

    private void take(GrantStep step) {
        state = step.next();
        for (GrantEffect effect : step.effects()) {
            if (effect instanceof GrantEffect.Publish(OAuthGrant grant))
                view.grant(ID, WireCodec.of(OAuthGrant.class).write(grant));
            if (effect instanceof GrantEffect.Show(OAuthSession session))
                view.session(session.sessionId(), WireCodec.of(OAuthSession.class).write(session));
        }
    }
}
