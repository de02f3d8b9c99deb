package dev.toolfleet.http;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.router.Endpoint;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/// Checks and measures every request: the token or a signature by it, the host that a request without a token names,
/// and the duration of the answer.
final class Requests implements Route {
    private static final String BEGAN = "toolfleet.began";
    private static final String CHALLENGE = "Bearer realm=\"toolfleet\"";

    private final HttpConfig config;
    private final Optional<BearerToken> token;
    private final AllowedHosts hosts;
    private final MeterRegistry meters;
    private final InstantSource clock = InstantSource.system();

    Requests(HttpConfig config, MeterRegistry meters) {
        this.config = config;
        this.token = config.token();
        this.hosts = AllowedHosts.of(config);
        this.meters = meters;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        routes.before(ctx -> {
            ctx.attribute(BEGAN, System.nanoTime());
            // Routes with a validator allow caching; others do not.
            ctx.header("Cache-Control", "no-store");
            ctx.header("X-Content-Type-Options", "nosniff");
            check(ctx);
        });
        routes.after(this::measure);
    }

    private void check(Context ctx) {
        if (HealthRoute.PATHS.contains(ctx.path()))
            return;
        if (token.isEmpty()) {
            checkHost(ctx.host());
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

    /// @param host null for a request of HTTP/1.0, which no browser sends
    private void checkHost(@Nullable String host) {
        if (host != null && !hosts.contains(host)) {
            throw new ProblemException(Problem.of(ProblemType.FORBIDDEN_HOST, "The request names the host '" + host
                    + "', which a service without a token rejects. Use localhost or 127.0.0.1, set "
                    + config.key("advertised") + ", or set " + config.key("token") + "."));
        }
    }

    private void measure(Context ctx) {
        Long began = ctx.attribute(BEGAN);
        if (began == null)
            return;
        Endpoint endpoint = ctx.endpoints().lastHttpEndpoint();
        meters.timer(HttpMeters.REQUESTS, HttpMeters.ROUTE, endpoint == null ? "none" : endpoint.path,
                HttpMeters.STATUS,
                Integer.toString(ctx.statusCode())).record(Duration.ofNanos(System.nanoTime() - began));
    }
}
