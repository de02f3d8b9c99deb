package dev.toolfleet.gateway.jwt;

import java.io.IOException;
import java.net.URI;

/// Fetch of an issuer's keys.
public interface KeyFetch {
    /// Returns the JSON Web Key Set at an address, within some seconds.
    ///
    /// @throws IOException when it cannot be had, or is too large
    byte[] fetch(URI uri) throws IOException;
}
