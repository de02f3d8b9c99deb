package dev.toolfleet.gateway.access;

import java.net.URI;
import java.util.Optional;

import dev.toolfleet.gateway.limits.LimitConfig;

/// Settings of access to a gateway.
///
/// @param principals the callers that it knows; without any, it serves this machine alone
/// @param publicUrl the address by which clients reach it, without `/` at its end; empty for that of the server
public record AccessConfig(Principals principals, Optional<URI> publicUrl, LimitConfig limits) {
    /// The settings of a gateway for this machine.
    public static final AccessConfig LOCAL = new AccessConfig(Principals.NONE, Optional.empty(), LimitConfig.DEFAULT);
    private static final String PUBLIC_URL = "gateway.publicUrl";

    /// Reads the public URL.
    ///
    /// @param publicUrl empty for none
    /// @throws IllegalArgumentException naming the setting and its value
    public static AccessConfig of(Principals principals, String publicUrl, LimitConfig limits) {
        String text = publicUrl.strip();
        if (text.isEmpty())
            return new AccessConfig(principals, Optional.empty(), limits);
        return new AccessConfig(principals, Optional.of(HttpsUrl.of(text.replaceFirst("/+$", ""))
                .orElseThrow(() -> new IllegalArgumentException(PUBLIC_URL + " '" + text
                        + "' is not allowed: an https:// URL without query and fragment, or http:// of this machine"))),
                limits);
    }
}
