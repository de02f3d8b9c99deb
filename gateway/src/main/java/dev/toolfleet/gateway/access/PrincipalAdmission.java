package dev.toolfleet.gateway.access;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.toolfleet.gateway.jwt.TokenCheck;
import dev.toolfleet.gateway.jwt.TokenVerdict;
import dev.toolfleet.gateway.limits.RequestLedger;
import dev.toolfleet.http.Admission;
import dev.toolfleet.http.HostCheck;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/// Admission of requests by the token of a principal. A gateway without principals admits this machine, by the host that
/// a request names.
///
/// **Why.** A page in a browser can send requests to this machine, and may not read the answers; but a request that
/// writes has had its effect by then. So a request with an `Origin` must come from the gateway's own pages.
final class PrincipalAdmission implements Admission {
    private static final String SCHEME = "Bearer ";

    private final Principals principals;
    private final TokenCheck tokens;
    private final HostCheck hosts;
    private final Challenge challenge;
    private final RequestLedger ledger;
    private final int maxBody;
    private final Function<Context, Optional<String>> browsers;
    private final BrowserSessions sessions;
    private final Consumer<Rejection> rejected;

    PrincipalAdmission(Principals principals, TokenCheck tokens, HostCheck hosts, Challenge challenge,
            RequestLedger ledger, int maxBody, Function<Context, Optional<String>> browsers,
            BrowserSessions sessions, Consumer<Rejection> rejected) {
        this.browsers = browsers;
        this.sessions = sessions;
        this.principals = principals;
        this.tokens = tokens;
        this.hosts = hosts;
        this.challenge = challenge;
        this.ledger = ledger;
        this.maxBody = maxBody;
        this.rejected = rejected;
    }

    @Override
    public void check(Context ctx) {
        if (!principals.issuers().isEmpty() && ResourceMetadata.isPath(ctx.path()))
            return;
        checkOrigin(ctx);
        Optional<String> browser = browsers.apply(ctx);
        Principal principal = browser.isPresent()
                ? Principal.BROWSER
                : principals.isEmpty() ? local(ctx) : isVisit(ctx) ? visit(ctx) : bearer(ctx);
        new Admitted(principal, ledger.enter(browser.orElseGet(() -> account(ctx, principal))), maxBody, challenge,
                rejected)
                .attach(ctx);
    }

    /// Visitors count by their addresses. Otherwise: one of them takes all places of those who want to sign in.
    private static String account(Context ctx, Principal principal) {
        return principal.equals(Principal.VISITOR) ? principal.name() + " " + ctx.ip() : principal.name();
    }

    @Override
    public void ended(HttpServletRequest request) {
        Admitted.find(request).ifPresent(admitted -> admitted.place().end());
    }

    private Principal local(Context ctx) {
        try {
            hosts.check(ctx);
        } catch (ProblemException e) {
            rejected.accept(Rejection.HOST);
            throw e;
        }
        return Principal.LOCAL;
    }

    private static boolean isVisit(Context ctx) {
        return BrowserSessions.isPage(ctx.path()) && ctx.header("Authorization") == null;
    }

    /// Returns the principal of a browser's session. A page leads a browser without one to the place where people sign
    /// in, so it is no refusal, and is not counted as one.
    private Principal visit(Context ctx) {
        return sessions.read(ctx).flatMap(session -> known(ctx, session.token())).orElse(Principal.VISITOR);
    }

    /// Returns the principal of a token that a person has typed; empty for a wrong one.
    ///
    /// @throws ProblemException when the token cannot be checked now
    Optional<Principal> signIn(Context ctx, String token) {
        Optional<Principal> known = known(ctx, token);
        if (known.isEmpty())
            rejected.accept(Rejection.UNKNOWN_TOKEN);
        return known;
    }

    private Optional<Principal> known(Context ctx, String token) {
        Optional<Principal> found = principals.find(token);
        if (found.isPresent() || principals.issuers().isEmpty())
            return found;
        return switch (tokens.check(token)) {
            case TokenVerdict.Valid(String issuer, var claims) ->
                principals.read(issuer, claims,
                        ctx.req().getRequestURI()) instanceof JwtEntry.Reading.Caller(Principal principal)
                                ? Optional.of(principal)
                                : Optional.empty();
            case TokenVerdict.Refused _ -> Optional.empty();
            case TokenVerdict.Later(String reason, var after) -> throw later(reason, after);
        };
    }

    private ProblemException later(String reason, Duration after) {
        rejected.accept(Rejection.KEYS_UNAVAILABLE);
        return new ProblemException(Problem.later(ProblemType.NOT_READY,
                "The token cannot be checked now: " + reason + ". Send the same request again then.", after));
    }

    private Principal bearer(Context ctx) {
        String authorization = ctx.header("Authorization");
        String token = token(authorization);
        if (token == null) {
            rejected.accept(Rejection.NO_TOKEN);
            challenge.missing(ctx);
            throw new ProblemException(Problem.of(ProblemType.UNAUTHORIZED, (authorization == null
                    ? "The request has no Authorization header."
                    : "The Authorization header holds no bearer token.")
                    + " Send Authorization: Bearer and the token of a principal of gateway.principals."));
        }
        Optional<Principal> known = principals.find(token);
        if (known.isPresent())
            return known.get();
        if (principals.issuers().isEmpty())
            throw invalid(ctx, Rejection.UNKNOWN_TOKEN, "the token is one of no principal");
        return issued(ctx, token);
    }

    private static @Nullable String token(@Nullable String authorization) {
        return authorization != null && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? authorization.substring(SCHEME.length()).strip()
                : null;
    }

    private Principal issued(Context ctx, String token) {
        return switch (tokens.check(token)) {
            case TokenVerdict.Valid(String issuer, var claims) ->
                switch (principals.read(issuer, claims, ctx.req().getRequestURI())) {
                    case JwtEntry.Reading.Caller(Principal principal) -> principal;
                    case JwtEntry.Reading.Misfit(TokenVerdict.Fault fault, String detail) ->
                        throw invalid(ctx, Rejection.of(fault), detail);
                };
            case TokenVerdict.Refused(TokenVerdict.Fault fault, String detail) ->
                throw invalid(ctx, Rejection.of(fault), detail);
            case TokenVerdict.Later(String reason, var after) -> throw later(reason, after);
        };
    }

    private ProblemException invalid(Context ctx, Rejection rejection, String detail) {
        rejected.accept(rejection);
        challenge.invalid(ctx, detail.replaceAll("[^ -~]|[\"\\\\]", "?"));
        return new ProblemException(Problem.of(ProblemType.UNAUTHORIZED, "The request is not authorized: " + detail
                + ". Send Authorization: Bearer and the token of a principal of gateway.principals."));
    }

    private void checkOrigin(Context ctx) {
        String origin = ctx.header("Origin");
        if (origin == null)
            return;
        String host = ctx.header("Host");
        try {
            String authority = URI.create(origin).getAuthority();
            if (authority != null && authority.equalsIgnoreCase(host))
                return;
        } catch (IllegalArgumentException e) {
            // Reported below, like the origin of another site.
        }
        rejected.accept(Rejection.ORIGIN);
        throw new ProblemException(Problem.of(ProblemType.FORBIDDEN_HOST, "The request comes from pages of '" + origin
                + "', which may not use this gateway. Send it from a program, without the header Origin."));
    }
}
