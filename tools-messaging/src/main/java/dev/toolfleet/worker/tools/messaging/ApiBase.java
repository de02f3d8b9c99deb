package dev.toolfleet.worker.tools.messaging;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/// Address of an API.
///
/// @param scheme `https`, or `http` where the operator set that
/// @param host in lower case, an IPv6 address without brackets
/// @param path before the methods; empty, or with a slash in front and none at the end
public record ApiBase(String scheme, String host, int port, String path) {

    /// Reads an absolute URL without user, query and fragment.
    ///
    /// @throws IllegalArgumentException that describes the fault; it does not show the text, which may hold a password
    static ApiBase parse(String text) {
        URI uri;
        try {
            uri = new URI(text.strip().replaceAll("/+$", ""));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("it is no URL", e);
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!(scheme.equals("https") || scheme.equals("http")) || uri.getHost() == null)
            throw new IllegalArgumentException("it does not begin with https:// or http:// and a host");
        if (uri.getRawUserInfo() != null || uri.getRawQuery() != null || uri.getRawFragment() != null)
            throw new IllegalArgumentException("it has a user, a query or a fragment");
        int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
        String host = uri.getHost().toLowerCase(Locale.ROOT).replaceAll("^\\[|]$", "");
        return new ApiBase(scheme, host, port, uri.getRawPath());
    }

    /// The address, without a slash at its end.
    public String url() {
        return scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + path;
    }

    /// True if the scheme, host and port are those of this API.
    public boolean isOrigin(String otherScheme, String otherHost, int otherPort) {
        return scheme.equals(otherScheme) && host.equals(otherHost) && port == otherPort;
    }
}
