package dev.toolfleet.oauth.view;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

    private TokenAnswer answer(@Nullable String handle) throws InterruptedException {
        return desk.answer(CLAIM, MIN_TTL, List.of(), handle);
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
        ordered(new Order.Callback(sessionId, "c-" + sessionId, "code", null, null, null));
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
