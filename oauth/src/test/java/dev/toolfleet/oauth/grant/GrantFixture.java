package dev.toolfleet.oauth.grant;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.bundle.OAuthAppSpec;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.OAuthSession;
import org.jspecify.annotations.Nullable;

/// State of one grant, and the rules that change it.
abstract class GrantFixture {
    static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");
    static final String ANN = "chat:ann";
    static final String ID = GrantIds.of("acme", "chat", ANN);
    /// The verifier of RFC 7636, appendix B.
    static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    static final ServerReply.Tokens TOKENS = new ServerReply.Tokens("access-1", "Bearer", 3600L, "refresh-1",
            null, null);

    final Secrets secrets = new Secrets(Apps.KEYS);
    OAuthAppSpec app = Apps.app("https://chat.example", "authorizationCode", "user", "");
    GrantState state = GrantState.NONE;
    List<GrantEffect> effects = List.of();

    void granted() {
        order(authorize("as-1", null));
        order(callback("as-1", "c-1", "code-1", null, null));
        reply("exchange-as-1", TOKENS);
    }

    GrantRules rules() {
        return new GrantRules(secrets, Apps.having(app), Apps.PUBLIC_URL);
    }

    static Order authorize(String sessionId, @Nullable String handle) {
        return authorize(sessionId, handle, "read");
    }

    static Order authorize(String sessionId, @Nullable String handle, String... scopes) {
        return new Order.Authorize(sessionId, "acme", "chat", ANN, List.of(scopes), VERIFIER, "00ff", handle, "chat-7",
                "coder");
    }

    static Order callback(String sessionId, String callbackId, @Nullable String code, @Nullable String error,
            @Nullable String words) {
        return new Order.Callback(sessionId, callbackId, "/oauth/callback", code, error, words, null);
    }

    void order(Order order) {
        take(rules().ordered(ID, state, order, NOW));
    }

    void reply(String taskId, ServerReply reply) {
        take(rules().replied(ID, state, taskId, reply, NOW));
    }

    void passed(Instant at) {
        take(rules().timePassed(state, at));
    }

    void take(GrantStep step) {
        state = step.next();
        effects = step.effects();
    }

    OAuthSession session(String id) {
        return state.session(id).orElseThrow();
    }

    List<Decision> decisions() {
        return effects.stream().filter(GrantEffect.Decide.class::isInstance)
                .map(effect -> ((GrantEffect.Decide) effect).decision()).toList();
    }
}
