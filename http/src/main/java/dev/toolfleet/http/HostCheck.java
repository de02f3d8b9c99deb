package dev.toolfleet.http;

import io.javalin.http.Context;

/// Check of the host that a request without a token names ([AllowedHosts]).
public final class HostCheck {
    private final HttpConfig config;
    private final AllowedHosts hosts;

    /// Makes the check for a service with these settings.
    public HostCheck(HttpConfig config) {
        this.config = config;
        this.hosts = AllowedHosts.of(config);
    }

    /// Admits the request. One of HTTP/1.0, which no browser sends, may name no host.
    ///
    /// @throws ProblemException when it names the host of another service
    public void check(Context ctx) {
        String host = ctx.host();
        if (host != null && !hosts.contains(host)) {
            throw new ProblemException(Problem.of(ProblemType.FORBIDDEN_HOST, "The request names the host '" + host
                    + "', which a service without a token rejects. Use localhost or 127.0.0.1, set "
                    + config.key("advertised") + ", or set " + config.credential() + "."));
        }
    }
}
