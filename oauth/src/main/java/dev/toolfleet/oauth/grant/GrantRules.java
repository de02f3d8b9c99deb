package dev.toolfleet.oauth.grant;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.toolfleet.bundle.OAuthAppSpec;
import dev.toolfleet.bundle.OAuthAppSpec.Flow;
import dev.toolfleet.oauth.seal.SealException;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.OAuthSession;
import dev.toolfleet.wire.OAuthSession.Status;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Rules of a grant's life. Pure, but for the random nonces of sealing.
///
/// Interleavings, with the state as the judge (`docs/decisions/0098-grants-have-one-owner.md`):
/// - an order that is read again finds its session, or a newer version of the grant, and changes nothing;
/// - two refreshes at once: the second finds the task of the first;
/// - two callbacks of one authorization: the first is named by the session, the second changes nothing;
/// - an answer whose task is gone: a revocation came between, and the answer is dropped;
/// - the owner dies with a task: the next owner makes the request again. A server that has used the code or the refresh
///   token then refuses, and the authorization fails, or the grant is revoked: no rule can ask twice for one code.
///
/// **Threads.** Thread-safe.
public final class GrantRules {
    /// The writer of decisions about calls that waited for a grant.
    public static final String BY = "toolfleet:oauth";
    /// The time for which an authorization can be ended.
    public static final Duration SESSION_TTL = Duration.ofMinutes(10);
    /// An authorization with less time left is not joined.
    private static final Duration JOINABLE = Duration.ofMinutes(2);
    private static final int MOST_ATTEMPTS = 3;
    private static final Duration PAUSE = Duration.ofMillis(500);
    /// RFC 8628 3.5.
    private static final long SLOWER = 5;
    private static final int MOST_WORDS = 300;

    private final Secrets secrets;
    private final Apps apps;
    private final Optional<URI> publicUrl;

    /// Declarations of OAuthApps with the settings that only a process knows.
    @FunctionalInterface
    public interface Apps {
        /// Returns an app under the present bundles.
        Optional<App> find(String bundle, String name);
    }

    /// OAuthApp with its client's id.
    ///
    /// @param clientId empty when its variable is not set
    public record App(OAuthAppSpec spec, Optional<String> clientId) {}

    /// @param publicUrl the gateway's address for browsers; without it no browser can come back
    public GrantRules(Secrets secrets, Apps apps, Optional<URI> publicUrl) {
        this.secrets = secrets;
        this.apps = apps;
        this.publicUrl = publicUrl;
    }

    /// Carries out an order.
    public GrantStep ordered(String grantId, GrantState state, Order order, Instant now) {
        return switch (order) {
            case Order.Authorize authorize -> authorize(grantId, state, authorize, now);
            case Order.Callback callback -> callback(state, callback, now);
            case Order.Refresh refresh -> refresh(state, refresh, now);
            case Order.Revoke _ -> revoke(state, now);
            case Order.Reseal _ -> reseal(state, now);
        };
    }

    private GrantStep authorize(String grantId, GrantState state, Order.Authorize order, Instant now) {
        if (state.session(order.sessionId()).isPresent())
            return GrantStep.none(state);
        Optional<OAuthSession> joined = state.sessions().stream()
                .filter(session -> session.status() == Status.PENDING && session.secret() != null
                        && session.expiresAt().isAfter(now.plus(JOINABLE))
                        && new HashSet<>(session.scopes()).containsAll(order.scopes()))
                .findFirst();
        if (joined.isPresent()) {
            OAuthSession session = joined.get();
            OAuthSession next = Sessions.sealed(session,
                    secrets.seal(session.sessionId(), Sessions.joining(opened(session), order)));
            return new GrantStep(state.with(next), List.of(new GrantEffect.Show(next)));
        }
        return begin(grantId, state, order, now);
    }

    private GrantStep begin(String grantId, GrantState state, Order.Authorize order, Instant now) {
        Optional<App> app = apps.find(order.bundle(), order.app());
        String provider = app.map(found -> found.spec().provider()).orElse("");
        Secrets.OfSession secret = Sessions
                .joining(new Secrets.OfSession(order.subject(), order.codeVerifier(), order.nonce(),
                        List.of(), List.of()), order);
        OAuthSession session = new OAuthSession(order.sessionId(), grantId, order.bundle(), order.app(), provider,
                GrantIds.subjectHash(order.subject()), order.scopes(), Status.PENDING, null, null, null, null, null,
                now, now.plus(SESSION_TTL), secrets.seal(order.sessionId(), secret));
        Optional<String> problem = problem(app, order);
        if (problem.isPresent())
            return fail(state, session, "unavailable", problem.get());
        OAuthAppSpec spec = app.orElseThrow().spec();
        if (spec.flow() == Flow.DEVICE_CODE) {
            GrantTask task = new GrantTask("begin-" + order.sessionId(), ServerRequest.Kind.DEVICE_BEGIN,
                    order.sessionId(), null, 0, 0, now);
            return new GrantStep(state.with(session).with(task), List.of(new GrantEffect.Show(session)));
        }
        OAuthSession shown = Sessions.addressed(session,
                AuthorizationAddress.of(spec, app.orElseThrow().clientId().orElseThrow(),
                        publicUrl.orElseThrow(), order,
                        StateToken.of(order.sessionId(), order.nonce(), now).text(secrets.keys())),
                null, session.expiresAt());
        return new GrantStep(state.with(shown), List.of(new GrantEffect.Show(shown)));
    }

    private Optional<String> problem(Optional<App> app, Order.Authorize order) {
        if (app.isEmpty())
            return Optional.of("bundle '" + order.bundle() + "' has no OAuthApp '" + order.app() + "'");
        if (app.get().clientId().isEmpty())
            return Optional.of("the clientId of OAuthApp '" + order.app() + "' is "
                    + app.get().spec().clientId().place() + ", which is not set on the workers");
        if (app.get().spec().flow() == Flow.AUTHORIZATION_CODE && publicUrl.isEmpty())
            return Optional.of("oauth.publicUrl is not set, so no browser can come back to the gateway");
        return Optional.empty();
    }

    private GrantStep callback(GrantState state, Order.Callback callback, Instant now) {
        OAuthSession session = state.session(callback.sessionId()).orElse(null);
        if (session == null || session.status() != Status.PENDING)
            return GrantStep.none(state);
        OAuthSession used = Sessions.staged(session, session.status(), callback.callbackId());
        if (!now.isBefore(session.expiresAt()))
            return expire(state, used);
        Optional<String> issuer = apps.find(session.bundle(), session.app())
                .flatMap(app -> app.spec().endpoints().issuer());
        if (issuer.isPresent() && !issuer.get().equals(callback.issuer()))
            return fail(state, used, "invalid_issuer", callback.issuer() == null
                    ? "the callback names no issuer, and " + issuer.get() + " was expected"
                    : "the callback is from another server than " + issuer.get());
        if (callback.error() != null || callback.code() == null)
            return fail(state, used, callback.error() == null ? "invalid_request" : callback.error(),
                    callback.errorDescription() == null ? "the server gave no code" : callback.errorDescription());
        String taskId = "exchange-" + session.sessionId();
        OAuthSession next = Sessions.staged(used, Status.EXCHANGING, callback.callbackId());
        GrantTask task = new GrantTask(taskId, ServerRequest.Kind.EXCHANGE, session.sessionId(),
                secrets.seal(taskId, new Secrets.OfTask(callback.code())), 0, 0, now);
        return new GrantStep(state.with(next).with(task), List.of(new GrantEffect.Show(next)));
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
        OAuthGrant grant = state.grant();
        if (grant == null || grant.revokedAt() != null)
            return GrantStep.none(state);
        GrantState next = state;
        for (GrantTask task : state.tasks()) {
            if (task.kind() == ServerRequest.Kind.REFRESH)
                next = next.withoutTask(task.id());
        }
        if (grant.secret() != null && apps.find(grant.bundle(), grant.app())
                .flatMap(app -> app.spec().endpoints().revoke()).isPresent()) {
            Secrets.OfGrant secret = secrets.grant(grant.grantId(), grant.secret());
            String token = secret.refreshToken() == null ? secret.accessToken() : secret.refreshToken();
            String taskId = "revoke-" + grant.version();
            next = next.with(new GrantTask(taskId, ServerRequest.Kind.REVOKE, null,
                    secrets.seal(taskId, new Secrets.OfTask(token)), 0, 0, now));
        }
        OAuthGrant revoked = revoked(grant, now, null);
        return new GrantStep(next.with(revoked), List.of(new GrantEffect.Publish(revoked)));
    }

    private GrantStep reseal(GrantState state, Instant now) {
        OAuthGrant grant = state.grant();
        if (grant == null || grant.secret() == null || grant.secret().keyId().equals(secrets.keys().current()))
            return GrantStep.none(state);
        OAuthGrant next = new OAuthGrant(grant.grantId(), grant.bundle(), grant.app(), grant.provider(),
                grant.subjectHash(), grant.scopes(), grant.expiresAt(), grant.refreshable(), grant.version() + 1,
                grant.refreshError(), grant.revokedAt(), now,
                secrets.seal(grant.grantId(), secrets.grant(grant.grantId(), grant.secret())));
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
                            secret == null ? refreshToken(grant) : secret, null, grant.scopes()));
        OAuthSession session = state.session(task.sessionId()).orElse(null);
        if (session == null || session.secret() == null)
            return Optional.empty();
        return Optional.of(new ServerRequest(session.bundle(), session.app(), task.kind(), secret,
                task.kind() == ServerRequest.Kind.EXCHANGE ? opened(session).codeVerifier() : null,
                session.scopes()));
    }

    private @Nullable String refreshToken(OAuthGrant grant) {
        return grant.secret() == null ? null : secrets.grant(grant.grantId(), grant.secret()).refreshToken();
    }

    /// Takes a server's answer.
    public GrantStep replied(String grantId, GrantState state, String taskId, ServerReply reply, Instant now) {
        GrantTask task = state.task(taskId).orElse(null);
        if (task == null)
            return GrantStep.none(state);
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
                        : answered(grantId, done, session, task, reply, now);
            }
        };
    }

    private GrantStep refreshed(GrantState state, ServerReply reply, Instant now) {
        OAuthGrant grant = state.grant();
        if (grant == null || grant.revokedAt() != null || grant.secret() == null)
            return GrantStep.none(state);
        return switch (reply) {
            case ServerReply.Tokens tokens -> {
                OAuthGrant next = granted(grant.grantId(), grant, grant.bundle(), grant.app(), grant.provider(),
                        secrets.grant(grant.grantId(), grant.secret()).subject(), grant.scopes(), tokens, now);
                yield new GrantStep(state.with(next), List.of(new GrantEffect.Publish(next)));
            }
            case ServerReply.Refused refused when refused.code().equals("invalid_grant") -> {
                OAuthGrant next = revoked(grant, now, refused.code());
                yield new GrantStep(state.with(next), List.of(new GrantEffect.Publish(next)));
            }
            default -> {
                OAuthGrant next = new OAuthGrant(grant.grantId(), grant.bundle(), grant.app(), grant.provider(),
                        grant.subjectHash(), grant.scopes(), grant.expiresAt(), true, grant.version() + 1,
                        reply instanceof ServerReply.Refused(String code, var _) ? code : "unavailable", null, now,
                        grant.secret());
                yield new GrantStep(state.with(next), List.of(new GrantEffect.Publish(next)));
            }
        };
    }

    private GrantStep answered(String grantId, GrantState state, OAuthSession session, GrantTask task,
            ServerReply reply, Instant now) {
        return switch (reply) {
            case ServerReply.Tokens tokens -> complete(grantId, state, session, tokens, now);
            case ServerReply.DeviceCode code -> {
                Instant end = now.plusSeconds(Math.max(1, Math.min(code.expiresIn(), SESSION_TTL.toSeconds())));
                OAuthSession shown = Sessions.addressed(session, code.address(), code.userCode(), end);
                String taskId = "poll-" + session.sessionId();
                GrantTask poll = new GrantTask(taskId, ServerRequest.Kind.DEVICE_POLL, session.sessionId(),
                        secrets.seal(taskId, new Secrets.OfTask(code.deviceCode())), 0, 0, now)
                        .polling(now, Math.max(1, code.interval()));
                yield new GrantStep(state.with(shown).with(poll), List.of(new GrantEffect.Show(shown)));
            }
            case ServerReply.NotYet(boolean slowDown) -> GrantStep.none(state.with(task.polling(now,
                    task.interval() + (slowDown ? SLOWER : 0))));
            case ServerReply.Refused refused ->
                fail(state, session, task.kind() == ServerRequest.Kind.EXCHANGE && !refused.code().equals(
                        "access_denied") ? "token_exchange_failed" : refused.code(), refused.code()
                                + (refused.description() == null ? "" : ": " + refused.description()));
            case ServerReply.Unavailable unavailable ->
                fail(state, session, task.kind() == ServerRequest.Kind.EXCHANGE
                        ? "token_exchange_failed"
                        : "unavailable", unavailable.reason());
            case ServerReply.Revoked _ -> GrantStep.none(state);
        };
    }

    private GrantStep complete(String grantId, GrantState state, OAuthSession session, ServerReply.Tokens tokens,
            Instant now) {
        Secrets.OfSession secret = opened(session);
        if (tokens.person() != null && !Sessions.isPerson(secret.subject(), tokens.person()))
            return fail(state, session, "subject_mismatch",
                    "another person has authorized than the user of the calls");
        OAuthGrant grant = granted(grantId, state.grant(), session.bundle(), session.app(), session.provider(),
                secret.subject(), session.scopes(), tokens, now);
        OAuthSession ended = Sessions.ended(session, Status.COMPLETED, null, null);
        GrantStep step = new GrantStep(state.with(grant).with(ended),
                List.of(new GrantEffect.Publish(grant), new GrantEffect.Show(ended)));
        for (String handle : secret.handles())
            step = step.and(new GrantEffect.Decide(Decision.approve(handle, BY, null)));
        int number = 0;
        for (Secrets.Instance instance : secret.instances()) {
            if (instance.agentName() != null)
                step = step.and(new GrantEffect.Tell(Sessions.event(session, grant, secret.subject(), instance,
                        requireNonNull(instance.agentName()), number++, now)));
        }
        return step;
    }

    private OAuthGrant granted(String grantId, @Nullable OAuthGrant before, String bundle, String app,
            String provider, String subject, List<String> requested, ServerReply.Tokens tokens, Instant now) {
        String refresh = tokens.refreshToken();
        // RFC 6749 6: without a new refresh token the old one stays.
        if (refresh == null && before != null && before.revokedAt() == null && before.secret() != null)
            refresh = refreshToken(before);
        Long seconds = tokens.expiresIn();
        return new OAuthGrant(grantId, bundle, app, provider, GrantIds.subjectHash(subject),
                tokens.scopes() == null ? requested : tokens.scopes(),
                seconds == null ? null : now.plusSeconds(seconds),
                refresh != null, before == null ? 1 : before.version() + 1, null, null, now,
                secrets.seal(grantId, new Secrets.OfGrant(subject, tokens.accessToken(), tokens.tokenType(), refresh)));
    }

    private static OAuthGrant revoked(OAuthGrant grant, Instant now, @Nullable String why) {
        return new OAuthGrant(grant.grantId(), grant.bundle(), grant.app(), grant.provider(), grant.subjectHash(),
                grant.scopes(), grant.expiresAt(), false, grant.version() + 1, why, now, now, null);
    }

    /// Ends and forgets authorizations whose time has come.
    public GrantStep timePassed(GrantState state, Instant now) {
        GrantStep step = GrantStep.none(state);
        for (OAuthSession session : state.sessions()) {
            if (GrantState.end(session).isAfter(now))
                continue;
            GrantStep next = session.underWay()
                    ? expire(step.next(), session)
                    : new GrantStep(step.next().without(session),
                            List.of(new GrantEffect.Forget(session.sessionId())));
            List<GrantEffect> effects = new ArrayList<>(step.effects());
            effects.addAll(next.effects());
            step = new GrantStep(next.next(), effects);
        }
        return step;
    }

    /// Pending calls have the same deadline, and end by it.
    private static GrantStep expire(GrantState state, OAuthSession session) {
        OAuthSession ended = Sessions.ended(session, Status.EXPIRED, "session_expired", "nobody authorized in time");
        return new GrantStep(withoutTasks(state, session).with(ended), List.of(new GrantEffect.Show(ended)));
    }

    private GrantStep fail(GrantState state, OAuthSession session, String code, String description) {
        String words = description.length() > MOST_WORDS ? description.substring(0, MOST_WORDS) : description;
        OAuthSession ended = Sessions.ended(session, Status.FAILED, code, words);
        List<GrantEffect> effects = Stream
                .concat(Stream.<GrantEffect>of(new GrantEffect.Show(ended)), handles(session).stream()
                        .map(handle -> new GrantEffect.Decide(Decision.reject(handle, BY, code + ": " + words))))
                .toList();
        return new GrantStep(withoutTasks(state, session).with(ended), effects);
    }

    private List<String> handles(OAuthSession session) {
        try {
            return opened(session).handles();
        } catch (SealException e) {
            return List.of();
        }
    }

    private static GrantState withoutTasks(GrantState state, OAuthSession session) {
        GrantState next = state;
        for (GrantTask task : state.tasks()) {
            if (session.sessionId().equals(task.sessionId()))
                next = next.withoutTask(task.id());
        }
        return next;
    }

    private Secrets.OfSession opened(OAuthSession session) {
        return secrets.session(session.sessionId(), requireNonNull(session.secret(), "secret"));
    }
}
