package dev.toolfleet.gateway.authorization;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.bundle.OAuthAppSpec;
import dev.toolfleet.gateway.authorization.CallbackDesk.Outcome;
import dev.toolfleet.oauth.grant.Apps;
import dev.toolfleet.oauth.grant.AuthorizationRules;
import dev.toolfleet.oauth.grant.GrantEffect;
import dev.toolfleet.oauth.grant.GrantIds;
import dev.toolfleet.oauth.grant.GrantRules;
import dev.toolfleet.oauth.grant.GrantState;
import dev.toolfleet.oauth.grant.GrantStep;
import dev.toolfleet.oauth.grant.Order;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.grant.ServerReply;
import dev.toolfleet.oauth.seal.KeyRing;
import dev.toolfleet.oauth.server.AuthorizationServers;
import dev.toolfleet.oauth.testserver.TestAuthorizationServer;
import dev.toolfleet.oauth.testserver.TestAuthorizationServer.Fault;
import dev.toolfleet.oauth.view.GrantView;
import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.OAuthSession;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// The gateway's decisions about browsers that come back, with the real rules of the owner and an authorization server;
/// the owner carries out each order at once.
class CallbackDeskTest {
    private static final String ANN = "ann";
    private static final String ID = GrantIds.of("acme", "chat", ANN);
    private static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

    private final TestAuthorizationServer server = new TestAuthorizationServer();
    private final Secrets secrets = new Secrets(Apps.KEYS);
    private final GrantView view = new GrantView();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-28T12:00:00Z"));
    private GrantState state = GrantState.NONE;
    private final CallbackDesk desk = new CallbackDesk(Apps.KEYS, view, (grant, order) -> ordered(order), now::get);

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void browserOfThePersonCompletesTheGrantOnce() throws Exception {
        CallbackDesk.Callback callback = back(server.authorize(begun("as-1"), ANN));

        assertThat(desk.take(callback)).isEqualTo(new Outcome("completed", "Chat", "read"));
        assertThat(requireNonNull(state.grant()).revokedAt()).isNull();
        assertThat(desk.take(callback).code()).as("the same address once more").isEqualTo("session_already_used");
    }

    @Test
    void stateThatTheFleetHasNotSignedIsRefused() throws Exception {
        CallbackDesk.Callback good = back(server.authorize(begun("as-1"), ANN));

        for (String state : new String[]{null, "", "x.y", good.state() + "A",
                "A" + requireNonNull(good.state()).substring(1)})
            assertThat(desk
                    .take(new CallbackDesk.Callback("/oauth/callback", state, good.code(), null, null, good.issuer()))
                    .code())
                    .isEqualTo("invalid_state");
        assertThat(new CallbackDesk(KeyRing.parse(KeyRing.newEntry("k1"), "a test"), view,
                (grant, order) -> ordered(order), now::get).take(good).code()).isEqualTo("invalid_state");
        assertThat(state.grant()).isNull();
    }

    @Test
    void authorizationThatIsOverIsRefused() throws Exception {
        CallbackDesk.Callback callback = back(server.authorize(begun("as-1"), ANN));
        now.set(now.get().plus(AuthorizationRules.SESSION_TTL));

        assertThat(desk.take(callback).code()).isEqualTo("session_expired");
        assertThat(server.requests()).as("no code is exchanged").isEmpty();
    }

    @Test
    void authorizationThatIsUnknownIsRefused() throws Exception {
        CallbackDesk.Callback callback = back(server.authorize(begun("as-1"), ANN));
        view.session("as-1", null);

        assertThat(desk.take(callback).code()).isEqualTo("session_not_found");
    }

    @Test
    void anotherPersonsGrantIsNotKept() throws Exception {
        assertThat(desk.take(back(server.authorize(begun("as-1"), "mallory"))).code()).isEqualTo("subject_mismatch");
        assertThat(state.grant()).isNull();
    }

    @Test
    void personMayDecline() throws Exception {
        Outcome outcome = desk.take(back(server.decline(begun("as-1"))));

        assertThat(outcome.code()).isEqualTo("access_denied");
        assertThat(outcome.detail()).isEqualTo("No, thanks.");
    }

    // Otherwise: a link with error=completed shows that all went well.
    @ParameterizedTest
    @ValueSource(strings = {"completed", "working", "temporarily_unavailable"})
    void errorOfAServerIsNoOutcomeOfTheFleet(String error) throws Exception {
        CallbackDesk.Callback callback = back(server.decline(begun("as-1")));

        Outcome outcome = desk.take(new CallbackDesk.Callback("/oauth/callback", callback.state(), null, error, null,
                callback.issuer()));
        assertThat(outcome.code()).isEqualTo("failed");
        assertThat(outcome.good()).isFalse();
        assertThat(outcome.detail()).contains(error);
    }

    @Test
    void linkWhoseGrantIsThereNeedsNoCode() throws Exception {
        String first = begun("as-1");
        now.set(now.get().plusSeconds(540));
        CallbackDesk.Callback late = back(server.authorize(begun("as-2"), ANN));
        desk.take(back(server.authorize(first, ANN)));

        assertThat(desk.take(late).code()).isEqualTo("completed");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void codeOfAnotherServerIsRefused() throws Exception {
        CallbackDesk.Callback mixed = back(server.authorize(begun("as-1"), ANN));

        assertThat(desk
                .take(new CallbackDesk.Callback("/oauth/callback", mixed.state(), mixed.code(), null, null,
                        "https://evil.example"))
                .code())
                .isEqualTo("invalid_issuer");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void codeThatWasUsedBeforeMakesNoGrant() throws Exception {
        CallbackDesk.Callback first = back(server.authorize(begun("as-1"), ANN));
        assertThat(desk.take(first).code()).isEqualTo("completed");
        CallbackDesk.Callback second = back(server.authorize(begun("as-2"), ANN));

        assertThat(
                desk.take(new CallbackDesk.Callback("/oauth/callback", second.state(), first.code(), null, null,
                        second.issuer())).code())
                .isEqualTo("token_exchange_failed");
    }

    @Test
    void serverThatIsDownIsTriedThreeTimes() throws Exception {
        server.fail(new Fault(500, "{}"), new Fault(503, ""));
        assertThat(desk.take(back(server.authorize(begun("as-1"), ANN))).code()).isEqualTo("completed");

        server.fail(new Fault(500, "{}"), new Fault(500, "{}"), new Fault(500, "{}"));
        assertThat(desk.take(back(server.authorize(begun("as-2"), ANN))).code()).isEqualTo("token_exchange_failed");
    }

    @Test
    void ownerThatCannotBeReachedIsReported() throws Exception {
        CallbackDesk.Callback callback = back(server.authorize(begun("as-1"), ANN));
        CallbackDesk cut = new CallbackDesk(Apps.KEYS, view, (grant, order) -> {
            throw new KafkaException("no broker");
        }, now::get);

        assertThat(cut.take(callback)).isEqualTo(new Outcome("unavailable", "Chat", ""));
    }

    @Test
    void pageSaysWhatToDoAndQuotesNothingUnescaped() {
        String page = CallbackPage.of(new Outcome("odd<script>", "Chat & <b>", "\"x\" <img>"));

        assertThat(page).doesNotContain("<script>", "<img>", "<b>").contains("Chat &amp; &lt;b&gt;");
        assertThat(CallbackPage.of(new Outcome("completed", "Chat", "read"))).contains("Chat is connected.",
                "Go back to your conversation", "Allowed: read");
        assertThat(CallbackPage.of(new Outcome("session_expired", "Chat", ""))).contains("Code: session_expired",
                "Request it again");
    }

    private String begun(String sessionId) {
        ordered(new Order.Authorize(sessionId, "acme", "chat", ANN, List.of("read"), VERIFIER, "00", null, "i",
                "coder"));
        return requireNonNull(view.session(sessionId).orElseThrow().authorizationUrl());
    }

    private OAuthAppSpec app() {
        return Apps.app(server.url(), "authorizationCode", "user", ",\"userInfoUrl\":\"" + server.url()
                + "/me\",\"issuer\":\"" + server.url() + "\"");
    }

    private void ordered(Order order) {
        GrantRules rules = new GrantRules(secrets, Apps.having(app()), Apps.PUBLIC_URL);
        take(rules.ordered(ID, state, order, now.get()));
        AuthorizationServers servers = new AuthorizationServers(Map.of("CHAT_SECRET", TestAuthorizationServer.SECRET),
                Apps.PUBLIC_URL);
        for (List<GrantRules.Due> due = due(); !due.isEmpty(); due = due()) {
            String task = due.getFirst().taskId();
            ServerReply reply = servers.send(app(), rules.request(state, task).orElseThrow());
            take(rules.replied(ID, state, task, reply, now.get()));
        }
    }

    /// Pauses between attempts take no time here.
    private List<GrantRules.Due> due() {
        return GrantRules.dueTasks(state, now.get().plusSeconds(60));
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

    private static CallbackDesk.Callback back(URI address) {
        Map<String, String> query = TestAuthorizationServer.form(address.getRawQuery());
        return new CallbackDesk.Callback("/oauth/callback", query.get("state"), query.get("code"), query.get("error"),
                query.get("error_description"), query.get("iss"));
    }
}
