package dev.toolfleet.wire;

import static java.util.Objects.requireNonNull;

/// Order to the owner of a grant, on `oauth.order` by the grant's id. Only holders of the fleet's OAuth key can write
/// and read one.
///
/// @param grantId the grant
/// @param secret the order
public record OAuthOrder(String grantId, SealedBox secret) {
    /// Checks that both are present.
    public OAuthOrder {
        requireNonNull(grantId, "grantId");
        requireNonNull(secret, "secret");
    }
}
