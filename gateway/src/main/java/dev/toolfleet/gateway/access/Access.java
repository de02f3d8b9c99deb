package dev.toolfleet.gateway.access;

import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.toolfleet.gateway.jwt.HttpKeyFetch;
import dev.toolfleet.gateway.jwt.TokenCheck;
import dev.toolfleet.gateway.limits.RequestLedger;
import dev.toolfleet.http.Admission;
import dev.toolfleet.http.BearerToken;
import dev.toolfleet.http.HostCheck;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.http.Route;
import io.javalin.http.Context;

/// Door of the gateway, assembled: the check of requests, their limits, and the routes about both.
///
/// **Threads.** Any. Closed once, after the server.
public final class Access implements AutoCloseable {
    private final RequestLedger ledger;
    private final HttpKeyFetch fetch = new HttpKeyFetch();
    private final PrincipalAdmission admission;
    private final BrowserSessions sessions;
    private final boolean open;
    private final List<Route> routes;

    /// Assembles the door.
    ///
    /// @param http the settings of the server, for the hosts that it may be called by
    /// @param internal the token that all gateways share
    /// @param url of the server as clients of this machine reach it; used without a public URL
    /// @param browsers returns the account of a browser that needs no token; empty for other requests
    /// @param rejected called for each rejected request, also under a lock
    public Access(AccessConfig config, HttpConfig http, Optional<BearerToken> internal, String url,
            Function<Context, Optional<String>> browsers, Consumer<Rejection> rejected) {
        Principals principals = config.principals();
        ledger = new RequestLedger(config.limits(), limit -> rejected.accept(Rejection.of(limit)), System::nanoTime);
        String publicUrl = config.publicUrl().map(URI::toString).orElse(url);
        boolean issued = !principals.issuers().isEmpty();
        routes = issued ? List.of(new ResourceMetadata(publicUrl, principals.issuers().keySet())) : List.of();
        Challenge challenge = new Challenge(
                issued ? Optional.of(ResourceMetadata.address(publicUrl)) : Optional.empty());
        TokenCheck tokens = new TokenCheck(principals.issuers(), fetch, InstantSource.system(), System::nanoTime);
        sessions = new BrowserSessions(internal, publicUrl.regionMatches(true, 0, "https:", 0, "https:".length()),
                InstantSource.system());
        open = principals.isEmpty();
        admission = new PrincipalAdmission(principals, tokens, new HostCheck(http), challenge, ledger,
                config.limits().maxBody(), browsers, sessions, rejected);
    }

    /// Returns the check of requests.
    public Admission admission() {
        return admission;
    }

    /// Returns the sessions of browsers.
    public BrowserSessions sessions() {
        return sessions;
    }

    /// True if the gateway has no principals, and signing in is not needed.
    public boolean isOpen() {
        return open;
    }

    /// Signs a browser in: begins its session with a person's token.
    ///
    /// @return the principal of the token; empty, and no session, for a token that the gateway does not accept
    /// @throws dev.toolfleet.http.ProblemException when the token cannot be checked now
    public Optional<Principal> signIn(Context ctx, String token) {
        if (token.isEmpty() || token.length() > BrowserSessions.MAX_TOKEN)
            return Optional.empty();
        Optional<Principal> principal = admission.signIn(ctx, token);
        principal.ifPresent(_ -> sessions.begin(ctx, token));
        return principal;
    }

    /// Returns the routes.
    public List<Route> routes() {
        return routes;
    }

    /// Returns the ledger of open requests and streams.
    public RequestLedger ledger() {
        return ledger;
    }

    @Override
    public void close() {
        fetch.close();
    }
}
