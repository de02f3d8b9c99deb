package dev.toolfleet.gateway.readers;

import java.net.URI;
import java.util.Optional;

import dev.toolfleet.http.BearerToken;

/// Address of the catalog services.
///
/// @param url of one of them, or of a balancer before them
/// @param token that they require
public record CatalogAddress(URI url, Optional<BearerToken> token) {
    /// The setting with the URL.
    public static final String URL = "gateway.catalog.url";

    /// Reads the settings.
    ///
    /// @param token empty for none
    /// @throws IllegalArgumentException naming the setting and, unless it is secret, its value
    public static CatalogAddress of(String url, String token) {
        URI uri;
        try {
            uri = URI.create(url.strip().replaceFirst("/+$", ""));
        } catch (IllegalArgumentException e) {
            throw wrong(url);
        }
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!http || uri.getHost() == null || uri.getRawQuery() != null || uri.getRawUserInfo() != null
                || uri.getRawFragment() != null)
            throw wrong(url);
        return new CatalogAddress(uri, token.isEmpty()
                ? Optional.empty()
                : Optional.of(new BearerToken("gateway.catalog.token", token)));
    }

    private static IllegalArgumentException wrong(String url) {
        return new IllegalArgumentException(
                URL + " '" + url + "' is not allowed: the address of a catalog service, such"
                        + " as http://catalog:7070");
    }
}
