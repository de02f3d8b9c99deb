package dev.toolfleet.wire;

import dev.toolfleet.topic.WireHeaders;

import static java.util.Objects.requireNonNull;

/// Address to which a gateway posts the final result of a call, in the header [WireHeaders#CALLBACK] of the call's record.
///
/// @param url an absolute URL
/// @param secret the name of the secret with which the gateway signs; the secret itself is in the gateways' settings
public record Callback(String url, String secret) {
    /// Checks that both are present.
    public Callback {
        requireNonNull(url, "url");
        requireNonNull(secret, "secret");
    }
}
