package dev.toolfleet.oauth.grant;

import java.util.Optional;

import dev.toolfleet.bundle.OAuthAppSpec;

/// Declarations of OAuthApps with the settings that only a process knows.
@FunctionalInterface
public interface OAuthApps {
    /// Returns an app under the present bundles.
    Optional<App> find(String bundle, String name);

    /// OAuthApp with its client's id.
    ///
    /// @param clientId empty when its variable is not set
    record App(OAuthAppSpec spec, Optional<String> clientId) {}
}
