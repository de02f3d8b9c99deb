package dev.toolfleet.http;

import java.time.InstantSource;
import java.util.Optional;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;

/// Admission by the service's one token, or by a signature with it. Without a token, by the host that the request names.
final class TokenAdmission implements Admission {
    private static final String CHALLENGE = "Bearer realm=\"toolfleet\"";

    private final HttpConfig config;
    private final Optional<BearerToken> token;
    private final HostCheck hosts;
    private final InstantSource clock = InstantSource.system();

    TokenAdmission(HttpConfig config) {
        this.config = config;
        this.token = config.token();
        this.hosts = new HostCheck(config);
    }

    @Override
    public void check(Context ctx) {
        if (token.isEmpty()) {
            hosts.check(ctx);
            return;
        }
        String authorization = ctx.header("Authorization");
        if (authorization != null && (token.get().isIn(authorization) || isSigned(ctx, authorization)))
            return;
        ctx.header("WWW-Authenticate", authorization == null ? CHALLENGE : CHALLENGE + ", error=\"invalid_token\"");
        throw new ProblemException(Problem.of(ProblemType.UNAUTHORIZED,
                (authorization == null
                        ? "The request has no Authorization header."
                        : "The Authorization header does not hold the token of this service.")
                        + " Send Authorization: Bearer and the value of " + config.key("token") + "."));
    }

    private boolean isSigned(Context ctx, String authorization) {
        String query = ctx.queryString();
        String path = ctx.req().getRequestURI();
        return ctx.method().equals(HandlerType.GET) && token.isPresent()
                && token.get().hasSigned(authorization, query == null ? path : path + "?" + query, clock.instant());
    }
}
