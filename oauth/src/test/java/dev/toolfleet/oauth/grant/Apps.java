package dev.toolfleet.oauth.grant;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.bundle.OAuthAppSpec;
import dev.toolfleet.json.Json;
import dev.toolfleet.oauth.seal.KeyRing;
import tools.jackson.databind.node.ObjectNode;

/// OAuthApps and keys of tests.
public final class Apps {
    public static final Optional<URI> PUBLIC_URL = Optional.of(URI.create("https://fleet.example/tools/"));
    /// Their only key, as it stands in a file.
    public static final String KEY = KeyRing.newEntry("k1");
    public static final KeyRing KEYS = KeyRing.parse(KEY, "a test");

    private Apps() {}

    /// Returns the app `chat` of a server.
    ///
    /// @param endpoints more fields of `endpoints`, each behind a comma
    public static OAuthAppSpec app(String server, String flow, String mode, String endpoints) {
        return OAuthAppSpec.of((ObjectNode) Json.MAPPER.readTree("""
                {"apiVersion":"toolfleet.dev/v1","kind":"OAuthApp","metadata":{"name":"chat"},"spec":{
                  "provider":"Chat","flow":"%s","subjectMode":"%s",
                  "client":{"clientId":"toolfleet","clientSecret":{"valueFrom":{"env":"CHAT_SECRET"}}},
                  "endpoints":{"authorizationUrl":"%s/auth?tenant=1","tokenUrl":"%s/token",
                    "deviceAuthorizationUrl":"%s/device"%s},
                  "scopes":["read","write"],"redirect":{"callbackPath":"/oauth/callback"},
                  "options":{"prompt":"consent"}}}
                """.formatted(flow, mode, server, server, server, endpoints)));
    }

    /// Returns the declarations of the bundle `acme` with this app.
    public static OAuthApps having(OAuthAppSpec app) {
        return (bundle, name) -> bundle.equals("acme") && name.equals(app.name())
                ? Optional.of(new OAuthApps.App(app, app.clientId().in(Map.of())))
                : Optional.empty();
    }
}
