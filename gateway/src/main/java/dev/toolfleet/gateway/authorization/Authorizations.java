package dev.toolfleet.gateway.authorization;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bundle.OAuthAppSpec;
import dev.toolfleet.http.Route;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.grant.StateToken;
import dev.toolfleet.oauth.seal.KeyRing;
import dev.toolfleet.oauth.view.GrantReader;
import dev.toolfleet.oauth.view.GrantView;
import dev.toolfleet.oauth.view.OrderWriter;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.jspecify.annotations.Nullable;

/// Ends of authorizations in a gateway: follows them, and orders the owners of grants to take the browsers that come
/// back.
///
/// **Threads.** Started and closed once.
public final class Authorizations implements AutoCloseable {
    /// The path of callbacks, and of those below it.
    public static final String PATH = OAuthAppSpec.CALLBACKS;
    /// Its role may read no grants.
    static final Set<Topic> FOLLOWED = Set.of(Topic.OAUTH_SESSION);
    private static final String STRANGERS = "browser";
    private static final Duration READ_WITHIN = Duration.ofMinutes(1);

    private final GrantReader reader;
    private final OrderWriter orders;
    private final Route route;

    /// Connects.
    ///
    /// @param kafka client properties, `bootstrap.servers` among them
    public Authorizations(Secrets secrets, Topics topics, Map<String, String> kafka) {
        GrantView view = new GrantView();
        reader = new GrantReader(topics, kafka, view, FOLLOWED);
        orders = new OrderWriter(secrets, topics, "/toolfleet/gateway", kafka);
        route = new CallbackRoute(new CallbackDesk(secrets.keys(), view, orders::write, InstantSource.system()));
    }

    /// Returns the account on which a browser's request counts; empty for a request that needs a token. Each
    /// authorization has its own. Otherwise: requests with states that the fleet has not signed keep persons out.
    ///
    /// @param state its parameter `state`; null for none
    public static Optional<String> account(KeyRing keys, String path, @Nullable String state) {
        if (!OAuthAppSpec.isCallbackPath(path))
            return Optional.empty();
        return Optional.of(state == null
                ? STRANGERS
                : StateToken.read(state, keys).map(signed -> STRANGERS + "/" + signed.sessionId()).orElse(STRANGERS));
    }

    /// Reads the authorizations, and follows them from then on.
    ///
    /// @throws IllegalStateException with one line for a person, when they cannot be read
    public void start() {
        reader.start(READ_WITHIN);
    }

    /// Returns the route of callbacks.
    public Route route() {
        return route;
    }

    @Override
    public void close() {
        reader.close();
        orders.close();
    }
}
