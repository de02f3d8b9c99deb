package dev.toolfleet.gateway.access;

import java.net.URI;
import java.util.Optional;

import dev.toolfleet.http.Admission;
import dev.toolfleet.http.HostCheck;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// Admission of requests by the token of a principal. A gateway without principals admits this machine, by the host that
/// a request names.
///
/// **Why.** A page in a browser can send requests to this machine, and may not read the answers; but a request that
/// writes has had its effect by then. So a request with an `Origin` must come from the gateway's own pages.
public final class PrincipalAdmission implements Admission {
    private static final String SCHEME = "Bearer ";
    private static final String CHALLENGE = "Bearer realm=\"toolfleet\"";

    private final Principals principals;
    private final HostCheck hosts;

    /// @param config the settings of the server, for the hosts that it may be called by
    public PrincipalAdmission(Principals principals, HttpConfig config) {
        this.principals = principals;
        this.hosts = new HostCheck(config);
    }

    @Override
    public void check(Context ctx) {
        checkOrigin(ctx);
        if (principals.isEmpty()) {
            hosts.check(ctx);
            Principal.LOCAL.admit(ctx);
            return;
        }
        String authorization = ctx.header("Authorization");
        token(authorization).flatMap(principals::find).orElseThrow(() -> unauthorized(ctx, authorization != null))
                .admit(ctx);
    }

    private static Optional<String> token(@Nullable String authorization) {
        return authorization != null && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(authorization.substring(SCHEME.length()).strip())
                : Optional.empty();
    }

    private static ProblemException unauthorized(Context ctx, boolean sent) {
        ctx.header("WWW-Authenticate", sent ? CHALLENGE + ", error=\"invalid_token\"" : CHALLENGE);
        return new ProblemException(Problem.of(ProblemType.UNAUTHORIZED, (sent
                ? "The Authorization header holds the token of no principal."
                : "The request has no Authorization header.")
                + " Send Authorization: Bearer and the token of a principal of gateway.principals."));
    }

    private static void checkOrigin(Context ctx) {
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
        throw new ProblemException(Problem.of(ProblemType.FORBIDDEN_HOST, "The request comes from pages of '" + origin
                + "', which may not use this gateway. Send it from a program, without the header Origin."));
    }
}
