package dev.toolfleet.gateway.readers;

import java.net.URI;
import java.util.Optional;

import dev.toolfleet.http.BearerToken;

/// Address of the catalog services, or of the session services.
///
/// @param url of one of them, or of a balancer before them
/// @param token that they require
public record ServiceAddress(URI url, Optional<BearerToken> token) {
    /// The section of the catalog services' address.
    public static final String CATALOG = "gateway.catalog";
    /// The section of the session services' address.
    public static final String SESSION = "gateway.session";

    /// Reads the settings.
    ///
    /// @param section [#CATALOG] or [#SESSION]
    /// @param token empty for none
    /// @throws IllegalArgumentException naming the setting and, unless it is secret, its value
    public static ServiceAddress of(String section, String url, String token) {
        URI uri;
        try {
            uri = URI.create(url.strip().replaceFirst("/+$", ""));
        } catch (IllegalArgumentException e) {
            throw wrong(section, url);
        }
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!http || uri.getHost() == null || uri.getRawQuery() != null || uri.getRawUserInfo() != null
                || uri.getRawFragment() != null)
            throw wrong(section, url);
        return new ServiceAddress(uri, token.isEmpty()
                ? Optional.empty()
                : Optional.of(new BearerToken(section + ".token", token)));
    }

    private static IllegalArgumentException wrong(String section, String url) {
        return new IllegalArgumentException(
                section + ".url '" + url + "' is not allowed: the address of a service, such as "
                        + (section.equals(SESSION) ? "http://sessions:7074" : "http://catalog:7070"));
    }
}
