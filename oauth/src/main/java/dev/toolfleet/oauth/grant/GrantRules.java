package dev.toolfleet.oauth.grant;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.oauth.seal.SealException;
import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.OAuthSession;

/// Rules of a grant's life. Pure, but for the random nonces of sealing.
///
/// Interleavings, with the state as the judge (`docs/decisions/0098-a-grant-has-one-owner.md`):
/// - an order that is read again finds its session, or a newer version of the grant, and changes nothing;
/// - two refreshes at once: the second finds the task of the first;
/// - two callbacks of one authorization: the first is named by the session, the second changes nothing;
/// - an answer whose task is gone: a revocation or a new authorization came between, and the answer is
///   dropped;
/// - the owner dies with a task: the next owner makes the request again. A server that has used the code or the refresh
///   token then refuses, and the authorization fails, or the grant is revoked: no rule can ask twice for one code.
///
/// **Threads.** Thread-safe.
public final class GrantRules {
    private static final int MOST_ATTEMPTS = 3;
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Secrets secrets;
    private final OAuthApps apps;
    private final GrantRecords records;
    private final AuthorizationRules authorizations;

    /// @param publicUrl the gateway's address for browsers; without it no browser can come back
    public GrantRules(Secrets secrets, OAuthApps apps, Optional<URI> publicUrl) {
        this.secrets = secrets;
        this.apps = apps;
        this.records = new GrantRecords(secrets);
        this.authorizations = new AuthorizationRules(secrets, apps, publicUrl);
    }

    /// Carries out an order.
    public GrantStep ordered(String grantId, GrantState state, Order order, Instant now) {
        return switch (order) {
            case Order.Authorize authorize -> authorizations.authorize(grantId, state, authorize, now);
            case Order.Callback callback -> authorizations.callback(state, callback, now);
            case Order.Refresh refresh -> refresh(state, refresh, now);
            case Order.Revoke _ -> revoke(state, now);
            case Order.Reseal _ -> reseal(state, now);
        };
    }

    private static GrantStep refresh(GrantState state, Order.Refresh order, Instant now) {
        OAuthGrant grant = state.grant();
        if (grant == null || grant.revokedAt() != null || !grant.refreshable() || grant.version() != order.seenVersion()
                || state.tasks().stream().anyMatch(task -> task.kind() == ServerRequest.Kind.REFRESH))
            return GrantStep.none(state);
        return GrantStep.none(state.with(new GrantTask("refresh-" + grant.version(), ServerRequest.Kind.REFRESH, null,
                null, 0, 0, now)));
    }

    private GrantStep revoke(GrantState state, Instant now) {
        GrantStep ended = authorizations.endAll(state, "revoked", "the access was revoked meanwhile");
        OAuthGrant grant = state.grant();
        if (grant == null || grant.revokedAt() != null)
            return ended;
        GrantState next = ended.next().without(ServerRequest.Kind.REFRESH);
        String token = apps.find(grant.bundle(), grant.app()).flatMap(app -> app.spec().endpoints().revoke())
                .isPresent()
                        ? records.revocable(grant)
                        : null;
        if (token != null) {
            String taskId = "revoke-" + grant.version();
            next = next.with(new GrantTask(taskId, ServerRequest.Kind.REVOKE, null,
                    secrets.seal(taskId, new Secrets.OfTask(token)), 0, 0, now));
        }
        OAuthGrant revoked = GrantRecords.revoked(grant, now, null);
        return new GrantStep(next.with(revoked), ended.effects()).and(new GrantEffect.Publish(revoked));
    }

    private GrantStep reseal(GrantState state, Instant now) {
        OAuthGrant grant = state.grant();
        if (grant == null || grant.secret() == null || grant.secret().keyId().equals(secrets.keys().current()))
            return GrantStep.none(state);
        OAuthGrant next = records.resealed(grant, now);
        return new GrantStep(state.with(next), List.of(new GrantEffect.Publish(next)));
    }

    /// Task whose request is due.
    ///
    /// @param at the time; a repetition has a later one
    public record Due(String taskId, Instant at) {}

    /// Returns the tasks that are due.
    public static List<Due> dueTasks(GrantState state, Instant now) {
        return state.tasks().stream().filter(task -> !task.dueAt().isAfter(now))
                .map(task -> new Due(task.id(), task.dueAt())).toList();
    }

    /// Returns the request of a task; empty when the task is gone, or its secret cannot be opened.
    public Optional<ServerRequest> request(GrantState state, String taskId) {
        GrantTask task = state.task(taskId).orElse(null);
        if (task == null)
            return Optional.empty();
        String secret = task.secret() == null ? null : secrets.task(taskId, task.secret()).code();
        OAuthGrant grant = state.grant();
        if (task.sessionId() == null)
            return grant == null
                    ? Optional.empty()
                    : Optional.of(new ServerRequest(grant.bundle(), grant.app(), task.kind(),
                            secret == null ? records.refreshToken(grant) : secret, null, grant.scopes()));
        OAuthSession session = state.session(task.sessionId()).orElse(null);
        if (session == null || session.secret() == null)
            return Optional.empty();
        return Optional.of(new ServerRequest(session.bundle(), session.app(), task.kind(), secret,
                task.kind() == ServerRequest.Kind.EXCHANGE ? authorizations.opened(session).codeVerifier() : null,
                session.scopes()));
    }

    /// Takes a server's answer.
    public GrantStep replied(String grantId, GrantState state, String taskId, ServerReply reply, Instant now) {
        GrantTask task = state.task(taskId).orElse(null);
        if (task == null)
            return GrantStep.none(state);
        // RFC 8628 3.5: a poll that fails is made again, more slowly, until the authorization ends.
        if (reply instanceof ServerReply.Unavailable && task.kind() == ServerRequest.Kind.DEVICE_POLL)
            return authorizations.polledAgain(state, task, true, now);
        if (reply instanceof ServerReply.Unavailable && task.attempt() + 1 < MOST_ATTEMPTS)
            return GrantStep.none(state.with(task.again(now.plus(PAUSE.multipliedBy(1L << task.attempt())))));
        GrantState done = state.withoutTask(taskId);
        return switch (task.kind()) {
            case REVOKE -> GrantStep.none(done);
            case REFRESH -> refreshed(done, reply, now);
            case EXCHANGE, DEVICE_BEGIN, DEVICE_POLL -> {
                OAuthSession session = state.session(task.sessionId()).orElse(null);
                yield session == null || !session.underWay()
                        ? GrantStep.none(done)
                        : authorizations.answered(done, session, task, reply, now);
            }
        };
    }

    /// Returns the reason for which an answer has not revoked tokens at their server; empty for any other answer.
    public static Optional<String> unrevoked(GrantState state, String taskId, ServerReply reply) {
        return state.task(taskId).filter(task -> task.kind() == ServerRequest.Kind.REVOKE)
                .flatMap(task -> switch (reply) {
                    case ServerReply.Refused(String code, var _) -> Optional.of(code);
                    case ServerReply.Unavailable(String reason) -> Optional.of(reason);
                    case ServerReply.Tokens _,ServerReply.DeviceCode _,ServerReply.NotYet _,ServerReply.Revoked _ ->
                        Optional.empty();
                });
    }

    private GrantStep refreshed(GrantState state, ServerReply reply, Instant now) {
        OAuthGrant grant = state.grant();
        if (grant == null || grant.revokedAt() != null || grant.secret() == null)
            return GrantStep.none(state);
        return switch (reply) {
            case ServerReply.Tokens tokens -> {
                OAuthGrant next = records.refreshed(grant, tokens, now);
                yield new GrantStep(state.with(next), List.of(new GrantEffect.Publish(next)));
            }
            case ServerReply.Refused refused when refused.code().equals("invalid_grant") -> {
                OAuthGrant next = GrantRecords.revoked(grant, now, refused.code());
                yield new GrantStep(state.with(next), List.of(new GrantEffect.Publish(next)));
            }
            default -> {
                OAuthGrant next = GrantRecords.unrefreshed(grant, now,
                        reply instanceof ServerReply.Refused(String code, var _) ? code : "unavailable");
                yield new GrantStep(state.with(next), List.of(new GrantEffect.Publish(next)));
            }
        };
    }

    /// Ends and forgets authorizations whose time has come.
    public GrantStep timePassed(GrantState state, Instant now) {
        return authorizations.timePassed(state, now);
    }
}
