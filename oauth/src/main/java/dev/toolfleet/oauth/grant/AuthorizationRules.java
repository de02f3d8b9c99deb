package dev.toolfleet.oauth.grant;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.toolfleet.bundle.OAuthAppSpec;
import dev.toolfleet.bundle.OAuthAppSpec.Flow;
import dev.toolfleet.oauth.seal.SealException;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.OAuthSession;
import dev.toolfleet.wire.OAuthSession.Status;

import static java.util.Objects.requireNonNull;

/// Rules of a grant's authorizations, from the link to the grant. Pure, but for the random nonces of sealing.
///
/// **Threads.** Thread-safe.
public final class AuthorizationRules {
    /// The writer of decisions about calls that waited for a grant.
    public static final String BY = "toolfleet:oauth";
    /// The time for which an authorization can be ended.
    public static final Duration SESSION_TTL = Duration.ofMinutes(10);
    /// An authorization with less time left is not joined.
    private static final Duration JOINABLE = Duration.ofMinutes(2);
    /// RFC 8628 3.5.
    private static final long SLOWER = 5;
    private static final int MOST_WORDS = 300;
    private static final Pattern ERROR = Pattern.compile("[\\x20-\\x21\\x23-\\x5B\\x5D-\\x7E]{1,64}");
    /// Codes of an exchange that a person is shown as they are.
    private static final Set<String> SHOWN = Set.of("access_denied", "subject_mismatch", "unavailable");
    /// Bounds the size of its record.
    private static final int MOST_JOINED = 500;

    private final Secrets secrets;
    private final OAuthApps apps;
    private final Optional<URI> publicUrl;
    private final GrantRecords records;

    AuthorizationRules(Secrets secrets, OAuthApps apps, Optional<URI> publicUrl) {
        this.secrets = secrets;
        this.apps = apps;
        this.publicUrl = publicUrl;
        this.records = new GrantRecords(secrets);
    }

    GrantStep authorize(String grantId, GrantState state, Order.Authorize order, Instant now) {
        if (state.sessions().stream().anyMatch(session -> session.took(order.sessionId())))
            return GrantStep.none(state);
        for (OAuthSession session : state.sessions()) {
            Optional<Secrets.OfSession> secret = isJoinable(session, order, now) ? tried(session) : Optional.empty();
            if (secret.isPresent()) {
                OAuthSession next = Sessions.joined(session, order.sessionId(),
                        secrets.seal(session.sessionId(), Sessions.joining(secret.get(), order)));
                return new GrantStep(state.with(next), List.of(new GrantEffect.Show(next)));
            }
        }
        return begin(grantId, state, order, now);
    }

    private static boolean isJoinable(OAuthSession session, Order.Authorize order, Instant now) {
        return session.status() == Status.PENDING && session.expiresAt().isAfter(now.plus(JOINABLE))
                && (session.joined() == null || session.joined().size() < MOST_JOINED)
                && new HashSet<>(session.scopes()).containsAll(order.scopes());
    }

    private GrantStep begin(String grantId, GrantState state, Order.Authorize order, Instant now) {
        Optional<OAuthApps.App> app = apps.find(order.bundle(), order.app());
        String provider = app.map(found -> found.spec().provider()).orElse("");
        Secrets.OfSession secret = Sessions
                .joining(new Secrets.OfSession(order.subject(), order.codeVerifier(), order.nonce(),
                        List.of(), List.of()), order);
        List<String> scopes = app.map(found -> scopes(state, order, found.spec())).orElse(order.scopes());
        OAuthSession session = new OAuthSession(order.sessionId(), grantId, order.bundle(), order.app(), provider,
                GrantIds.subjectHash(order.subject()), scopes, Status.PENDING, null, null, null, null, null,
                null, now, now.plus(SESSION_TTL), secrets.seal(order.sessionId(), secret));
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
                        publicUrl.orElseThrow(), order, scopes,
                        StateToken.of(order.sessionId(), order.nonce(), now).text(secrets.keys())),
                null, session.expiresAt());
        return new GrantStep(state.with(shown), List.of(new GrantEffect.Show(shown)));
    }

    /// The new grant replaces the old one, so it must have the old one's scopes, too, and those of other open
    /// authorizations. Otherwise: two exports with different scopes displace each other's grant for ever.
    private static List<String> scopes(GrantState state, Order.Authorize order, OAuthAppSpec app) {
        Set<String> others = new LinkedHashSet<>();
        OAuthGrant grant = state.grant();
        if (grant != null && grant.revokedAt() == null)
            others.addAll(grant.scopes());
        state.sessions().stream().filter(OAuthSession::underWay).forEach(open -> others.addAll(open.scopes()));
        others.retainAll(app.scopes());
        Set<String> scopes = new LinkedHashSet<>(order.scopes());
        scopes.addAll(others);
        return List.copyOf(scopes);
    }

    private Optional<String> problem(Optional<OAuthApps.App> app, Order.Authorize order) {
        if (app.isEmpty())
            return Optional.of("bundle '" + order.bundle() + "' has no OAuthApp '" + order.app() + "'");
        if (app.get().clientId().isEmpty())
            return Optional.of("the clientId of OAuthApp '" + order.app() + "' is "
                    + app.get().spec().clientId().place() + ", which is not set on the workers");
        if (app.get().spec().flow() == Flow.AUTHORIZATION_CODE && publicUrl.isEmpty())
            return Optional.of("oauth.publicUrl is not set, so no browser can come back to the gateway");
        return Optional.empty();
    }

    GrantStep callback(GrantState state, Order.Callback callback, Instant now) {
        OAuthSession session = state.session(callback.sessionId()).orElse(null);
        if (session == null || session.status() != Status.PENDING)
            return GrantStep.none(state);
        OAuthSession used = Sessions.staged(session, session.status(), callback.callbackId());
        if (!now.isBefore(session.expiresAt()))
            return expire(state, used);
        Optional<OAuthAppSpec> app = apps.find(session.bundle(), session.app()).map(OAuthApps.App::spec);
        // RFC 9700 4.4.2: the server of another app may send the browser here, to get the code that belongs to this one.
        String declared = app.flatMap(OAuthAppSpec::callbackPath).orElse("");
        if (callback.path() != null && OAuthAppSpec.isCallbackPath(declared) && !declared.equals(callback.path()))
            return fail(state, used, "invalid_issuer", "the browser came back at the path of another OAuthApp");
        Optional<String> issuer = app.flatMap(spec -> spec.endpoints().issuer());
        if (issuer.isPresent() && !issuer.get().equals(callback.issuer()))
            return fail(state, used, "invalid_issuer", callback.issuer() == null
                    ? "the callback names no issuer, and " + issuer.get() + " was expected"
                    : "the callback is from another server than " + issuer.get());
        if (callback.error() != null || callback.code() == null)
            return fail(state, used, callback.error() == null ? "invalid_request" : bounded(callback.error()),
                    callback.errorDescription() == null ? "the server gave no code" : callback.errorDescription());
        String taskId = "exchange-" + session.sessionId();
        OAuthSession next = Sessions.staged(used, Status.EXCHANGING, callback.callbackId());
        GrantTask task = new GrantTask(taskId, ServerRequest.Kind.EXCHANGE, session.sessionId(),
                secrets.seal(taskId, new Secrets.OfTask(callback.code())), 0, 0, now);
        return new GrantStep(state.with(next).with(task), List.of(new GrantEffect.Show(next)));
    }

    /// A query may have any text. RFC 6749 4.1.2.1 has the characters of a code.
    private static String bounded(String error) {
        return ERROR.matcher(error).matches() ? error : "invalid_response";
    }

    GrantStep answered(GrantState state, OAuthSession session, GrantTask task,
            ServerReply reply, Instant now) {
        return switch (reply) {
            case ServerReply.Tokens tokens -> complete(state, session, tokens, now);
            case ServerReply.DeviceCode code -> {
                Instant end = now.plusSeconds(Math.max(1, Math.min(code.expiresIn(), SESSION_TTL.toSeconds())));
                OAuthSession shown = Sessions.addressed(session, code.address(), code.userCode(), end);
                String taskId = "poll-" + session.sessionId();
                GrantTask poll = new GrantTask(taskId, ServerRequest.Kind.DEVICE_POLL, session.sessionId(),
                        secrets.seal(taskId, new Secrets.OfTask(code.deviceCode())), 0, 0, now)
                        .polling(now, Math.max(1, code.interval()));
                yield new GrantStep(state.with(shown).with(poll), List.of(new GrantEffect.Show(shown)));
            }
            case ServerReply.NotYet(boolean slowDown) -> polledAgain(state, task, slowDown, now);
            case ServerReply.Refused refused ->
                fail(state, session, task.kind() == ServerRequest.Kind.EXCHANGE && !SHOWN.contains(refused.code())
                        ? "token_exchange_failed"
                        : refused.code(),
                        refused.code()
                                + (refused.description() == null ? "" : ": " + refused.description()));
            case ServerReply.Unavailable unavailable ->
                fail(state, session, task.kind() == ServerRequest.Kind.EXCHANGE
                        ? "token_exchange_failed"
                        : "unavailable", unavailable.reason());
            case ServerReply.Revoked _ -> GrantStep.none(state);
        };
    }

    GrantStep polledAgain(GrantState state, GrantTask task, boolean slower, Instant now) {
        return GrantStep.none(state.with(task.polling(now, task.interval() + (slower ? SLOWER : 0))));
    }

    private GrantStep complete(GrantState state, OAuthSession session, ServerReply.Tokens tokens,
            Instant now) {
        Secrets.OfSession secret = opened(session);
        if (tokens.person() != null && !secret.subject().equals(prefix(session) + tokens.person()))
            return fail(state, session, "subject_mismatch",
                    "another person has authorized than the user of the calls");
        OAuthGrant grant = records.authorized(session, secret.subject(), state.grant(), tokens, now);
        GrantStep step = completed(
                new GrantStep(state.with(grant).without(ServerRequest.Kind.REFRESH),
                        List.of(new GrantEffect.Publish(grant))),
                session,
                secret, grant, now);
        for (OAuthSession other : state.sessions()) {
            if (other.status() != Status.PENDING || other.sessionId().equals(session.sessionId())
                    || !new HashSet<>(grant.scopes()).containsAll(other.scopes()))
                continue;
            Optional<Secrets.OfSession> opened = tried(other);
            if (opened.isPresent())
                step = completed(step, other, opened.get(), grant, now);
        }
        return step;
    }

    /// Ids of two providers may be the same number, so that only the declared prefix makes one of them a user's id.
    private String prefix(OAuthSession session) {
        return apps.find(session.bundle(), session.app()).map(app -> app.spec().endpoints().userInfoPrefix())
                .orElse("");
    }

    private static GrantStep completed(GrantStep before, OAuthSession session, Secrets.OfSession secret,
            OAuthGrant grant, Instant now) {
        OAuthSession ended = Sessions.ended(session, Status.COMPLETED, null, null);
        GrantStep step = new GrantStep(withoutTasks(before.next(), session).with(ended), before.effects())
                .and(new GrantEffect.Show(ended));
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

    GrantStep timePassed(GrantState state, Instant now) {
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

    /// Ends the authorizations that are under way, with the exchanges of their codes.
    GrantStep endAll(GrantState state, String code, String description) {
        GrantStep step = GrantStep.none(state);
        for (OAuthSession session : state.sessions()) {
            if (session.underWay()) {
                GrantStep next = fail(step.next(), session, code, description);
                step = new GrantStep(next.next(),
                        Stream.concat(step.effects().stream(), next.effects().stream()).toList());
            }
        }
        return step;
    }

    /// Pending calls have the same deadline, and end by it.
    private static GrantStep expire(GrantState state, OAuthSession session) {
        OAuthSession ended = Sessions.ended(session, Status.EXPIRED, "session_expired", "no person authorized in time");
        return new GrantStep(withoutTasks(state, session).with(ended), List.of(new GrantEffect.Show(ended)));
    }

    private GrantStep fail(GrantState state, OAuthSession session, String code, String description) {
        String words = description.length() > MOST_WORDS ? description.substring(0, MOST_WORDS) : description;
        OAuthSession ended = Sessions.ended(session, Status.FAILED, code, words);
        List<GrantEffect> effects = Stream
                .concat(Stream.<GrantEffect>of(new GrantEffect.Show(ended)), tried(session).stream()
                        .flatMap(secret -> secret.handles().stream())
                        .map(handle -> new GrantEffect.Decide(Decision.reject(handle, BY, code + ": " + words))))
                .toList();
        return new GrantStep(withoutTasks(state, session).with(ended), effects);
    }

    private static GrantState withoutTasks(GrantState state, OAuthSession session) {
        GrantState next = state;
        for (GrantTask task : state.tasks()) {
            if (session.sessionId().equals(task.sessionId()))
                next = next.withoutTask(task.id());
        }
        return next;
    }

    private Optional<Secrets.OfSession> tried(OAuthSession session) {
        try {
            return session.secret() == null ? Optional.empty() : Optional.of(opened(session));
        } catch (SealException | IllegalStateException e) {
            return Optional.empty();
        }
    }

    Secrets.OfSession opened(OAuthSession session) {
        return secrets.session(session.sessionId(), requireNonNull(session.secret(), "secret"));
    }
}
