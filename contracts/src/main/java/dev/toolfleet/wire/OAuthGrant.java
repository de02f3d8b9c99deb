package dev.toolfleet.wire;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Access that a person has granted to an OAuthApp, on `oauth.grant` by its id.
///
/// @param grantId derived from app and subject
/// @param bundle the bundle of the OAuthApp
/// @param app the OAuthApp
/// @param provider the authorization server, for people
/// @param subjectHash SHA-256 of the subject
/// @param scopes the granted scopes
/// @param expiresAt the end of the access token; absent when the server named none
/// @param refreshable true when it has a refresh token
/// @param version counts the changes of this grant; another key is none
/// @param refreshError the code of the last refresh, if it failed
/// @param revokedAt the time of the revocation; absent while it is valid
/// @param issuedAt the time at which the server made the access token; absent after a revocation
/// @param updatedAt the time of this write
/// @param secret the tokens and the subject; absent after a revocation
public record OAuthGrant(String grantId, String bundle, String app, String provider, String subjectHash,
        List<String> scopes, @Nullable Instant expiresAt, boolean refreshable, long version,
        @Nullable String refreshError, @Nullable Instant revokedAt, @Nullable Instant issuedAt, Instant updatedAt,
        @Nullable SealedBox secret) {
    /// Checks that the grant can be found and shown.
    public OAuthGrant {
        requireNonNull(grantId, "grantId");
        requireNonNull(bundle, "bundle");
        requireNonNull(app, "app");
        requireNonNull(provider, "provider");
        requireNonNull(subjectHash, "subjectHash");
        requireNonNull(updatedAt, "updatedAt");
        scopes = List.copyOf(requireNonNull(scopes, "scopes"));
    }
}
