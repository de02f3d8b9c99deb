package dev.toolfleet.oauth.grant;

import java.util.List;

import dev.toolfleet.oauth.seal.KeyRing;
import dev.toolfleet.oauth.seal.SealException;
import dev.toolfleet.wire.SealedBox;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Secret parts of records, and their sealing. A box opens only as what it was sealed, for the id that it was sealed for.
///
/// **Threads.** Thread-safe.
public final class Secrets {
    private static final WireCodec<OfGrant> GRANTS = WireCodec.of(OfGrant.class);
    private static final WireCodec<OfSession> SESSIONS = WireCodec.of(OfSession.class);
    private static final WireCodec<OfTask> TASKS = WireCodec.of(OfTask.class);
    private static final WireCodec<Order> ORDERS = WireCodec.of(Order.class);

    private final KeyRing keys;

    /// @param keys seal and open
    public Secrets(KeyRing keys) {
        this.keys = keys;
    }

    /// Secret part of a grant.
    ///
    /// @param subject the person
    /// @param refreshToken null when the server gave none
    /// @param person the id of the person at the server; null when it is not known
    public record OfGrant(String subject, String accessToken, String tokenType, @Nullable String refreshToken,
            @Nullable String person) {
        /// Checks that it has a token.
        public OfGrant {
            requireNonNull(subject, "subject");
            requireNonNull(accessToken, "accessToken");
            requireNonNull(tokenType, "tokenType");
        }

        /// Shows no token.
        @Override
        public String toString() {
            return "OfGrant[" + tokenType + "]";
        }
    }

    /// Secret part of an authorization.
    ///
    /// @param subject the person
    /// @param codeVerifier of PKCE
    /// @param nonce of the state
    /// @param handles pending calls that the grant resumes
    /// @param instances conversations that learn of the grant
    record OfSession(String subject, String codeVerifier, String nonce, List<String> handles,
            List<Instance> instances) {
        OfSession {
            handles = List.copyOf(handles);
            instances = List.copyOf(instances);
        }

        @Override
        public String toString() {
            return "OfSession[" + handles.size() + " calls]";
        }
    }

    /// Agent instance that learns of a grant.
    record Instance(String instanceKey, @Nullable String agentName) {}

    /// Secret part of a [GrantTask].
    ///
    /// @param code an authorization code, a device code, or a token to revoke
    record OfTask(String code) {
        @Override
        public String toString() {
            return "OfTask[]";
        }
    }

    /// Returns the ids of the keys that open; the first seals.
    public KeyRing keys() {
        return keys;
    }

    SealedBox seal(String grantId, OfGrant secret) {
        return keys.seal("oauth.grant/" + grantId, GRANTS.write(secret));
    }

    /// Opens the secret of a grant.
    ///
    /// @throws SealException when this process cannot open it
    public OfGrant grant(String grantId, SealedBox box) {
        return opened("oauth.grant/" + grantId, box, GRANTS);
    }

    SealedBox seal(String sessionId, OfSession secret) {
        return keys.seal("oauth.session/" + sessionId, SESSIONS.write(secret));
    }

    OfSession session(String sessionId, SealedBox box) {
        return opened("oauth.session/" + sessionId, box, SESSIONS);
    }

    SealedBox seal(String taskId, OfTask secret) {
        return keys.seal("oauth.task/" + taskId, TASKS.write(secret));
    }

    OfTask task(String taskId, SealedBox box) {
        return opened("oauth.task/" + taskId, box, TASKS);
    }

    /// Seals an order to the owner of a grant.
    public SealedBox seal(String grantId, Order order) {
        return keys.seal("oauth.order/" + grantId, ORDERS.write(order));
    }

    /// Opens an order.
    ///
    /// @throws SealException when it was not sealed with the fleet's key for this grant
    public Order order(String grantId, SealedBox box) {
        return opened("oauth.order/" + grantId, box, ORDERS);
    }

    private <T> T opened(String purpose, SealedBox box, WireCodec<T> codec) {
        byte[] bytes = keys.open(purpose, box);
        try {
            return codec.read(bytes);
        } catch (WireFormatException e) {
            // Its message may quote the secret.
            throw new IllegalStateException("the secret of " + purpose + " has a form that this version does not know");
        }
    }
}
