package dev.toolfleet.oauth.grant;

import java.util.List;

import org.jspecify.annotations.Nullable;

/// Request to an authorization server, without the settings of its app.
///
/// @param bundle the bundle of the OAuthApp
/// @param app the OAuthApp
/// @param kind the request
/// @param secret the code, or the token; null to begin the device flow
/// @param codeVerifier of PKCE, with an authorization code; null otherwise
/// @param scopes the requested scopes
public record ServerRequest(String bundle, String app, Kind kind, @Nullable String secret,
        @Nullable String codeVerifier, List<String> scopes) {
    /// Kind of a request.
    public enum Kind {
        /// Makes tokens of an authorization code.
        EXCHANGE,
        /// Makes tokens of a refresh token.
        REFRESH,
        /// Revokes a token.
        REVOKE,
        /// Begins the device flow.
        DEVICE_BEGIN,
        /// Makes tokens of a device code.
        DEVICE_POLL
    }

    /// Shows no secret.
    @Override
    public String toString() {
        return kind + " of " + bundle + "/" + app;
    }
}
