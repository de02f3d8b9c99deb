package dev.toolfleet.gateway.authorization;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;

import dev.toolfleet.oauth.grant.Order;
import dev.toolfleet.oauth.grant.StateToken;
import dev.toolfleet.oauth.seal.KeyRing;
import dev.toolfleet.oauth.view.GrantView;
import dev.toolfleet.oauth.view.TokenDesk;
import dev.toolfleet.wire.OAuthSession;
import dev.toolfleet.wire.OAuthSession.Status;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/// Decides about browsers that come back, in the order of the seed: state, authorization, stage, time, then the server's
/// words. The owner of the grant decides again, and takes one callback of each authorization.
///
/// **Threads.** Thread-safe. May wait for the owner, on the caller's thread.
final class CallbackDesk {
    /// An authorization may reach this process after its browser.
    private static final Duration KNOWN_WITHIN = Duration.ofSeconds(3);
    private static final Duration ENDED_WITHIN = Duration.ofSeconds(25);

    private final KeyRing keys;
    private final GrantView view;
    private final TokenDesk.Orders orders;
    private final InstantSource clock;

    /// Parameters of a callback (RFC 6749 4.1.2, RFC 9207).
    ///
    /// @param path the path of the request
    /// @param state the signed state; null when there is none
    /// @param code the code; null with an error
    /// @param error the error; null with a code
    /// @param errorDescription the server's words
    /// @param issuer the server's `iss`
    record Callback(String path, @Nullable String state, @Nullable String code, @Nullable String error,
            @Nullable String errorDescription, @Nullable String issuer) {}

    /// Outcome for the person.
    ///
    /// @param code `completed`, `working`, or the code of a failure
    /// @param provider the authorization server, for people; empty while it is not known
    /// @param detail one sentence more; empty for none
    record Outcome(String code, String provider, String detail) {
        boolean good() {
            return code.equals("completed") || code.equals("working");
        }
    }

    CallbackDesk(KeyRing keys, GrantView view, TokenDesk.Orders orders, InstantSource clock) {
        this.keys = keys;
        this.view = view;
        this.orders = orders;
        this.clock = clock;
    }

    Outcome take(Callback callback) throws InterruptedException {
        Optional<StateToken> state = callback.state() == null
                ? Optional.empty()
                : StateToken.read(callback.state(), keys);
        if (state.isEmpty())
            return new Outcome("invalid_state", "", "");
        String sessionId = state.get().sessionId();
        Optional<OAuthSession> found = view.await(() -> view.session(sessionId), KNOWN_WITHIN);
        if (found.isEmpty())
            return new Outcome("session_not_found", "", "");
        OAuthSession session = found.get();
        if (session.status() == Status.EXPIRED || (session.status() == Status.PENDING
                && !session.expiresAt().isAfter(clock.instant())))
            return new Outcome("session_expired", session.provider(), "");
        if (session.status() != Status.PENDING)
            return used(session);
        String id = UUID.randomUUID().toString();
        try {
            orders.write(session.grantId(),
                    new Order.Callback(sessionId, id, callback.path(), callback.code(), callback.error(),
                            callback.errorDescription(), callback.issuer()));
        } catch (KafkaException e) {
            return new Outcome("unavailable", session.provider(), "");
        }
        Instant since = clock.instant();
        Optional<OAuthSession> ended = view.await(() -> view.session(sessionId)
                .filter(now -> !now.underWay() || (now.usedBy() != null && !now.usedBy().equals(id))),
                ENDED_WITHIN);
        if (ended.isEmpty())
            return new Outcome("working", session.provider(), "since " + since);
        OAuthSession end = ended.get();
        if (!id.equals(end.usedBy()))
            return end.status() == Status.EXPIRED ? new Outcome("session_expired", end.provider(), "") : used(end);
        return end.status() == Status.COMPLETED
                ? new Outcome("completed", end.provider(), String.join(", ", end.scopes()))
                : failed(end);
    }

    /// A server chooses its codes: one of them must not be taken for an outcome of the fleet.
    private static Outcome failed(OAuthSession session) {
        String code = session.error() == null ? "failed" : session.error();
        String words = session.errorDescription() == null ? "" : session.errorDescription();
        return CallbackPage.isFailure(code)
                ? new Outcome(code, session.provider(), words)
                : new Outcome("failed", session.provider(), code + (words.isEmpty() ? "" : ": " + words));
    }

    /// Another authorization of the grant may have ended this one, too.
    private static Outcome used(OAuthSession session) {
        return session.status() == Status.COMPLETED && session.usedBy() == null
                ? new Outcome("completed", session.provider(), String.join(", ", session.scopes()))
                : new Outcome("session_already_used", session.provider(), "");
    }
}
