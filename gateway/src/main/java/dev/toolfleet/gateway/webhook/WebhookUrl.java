package dev.toolfleet.gateway.webhook;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.egress.HostName;

/// URL of a receiver, read so strictly that no other reader could understand another host.
///
/// @param secure true for `https`
/// @param path path and query as they are sent
record WebhookUrl(boolean secure, HostName host, int port, String path) {
    static final int MAX_LENGTH = 2000;
    private static final int MAX_PORT = 65_535;
    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    /// Reads a URL.
    ///
    /// @throws IllegalArgumentException with a clause that follows "the URL"; it does not quote path or query
    static WebhookUrl parse(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH)
            throw new IllegalArgumentException("has " + text.length() + " characters, 1 to " + MAX_LENGTH
                    + " are allowed");
        // RFC 3986 has no others, and a line break in a request's head begins another header.
        if (!text.chars().allMatch(c -> c > ' ' && c <= '~'))
            throw new IllegalArgumentException("has characters other than printable ASCII; percent-encode them");
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("is no URL: " + e.getReason(), e);
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        String authority = uri.getRawAuthority();
        if ((!scheme.equals("https") && !scheme.equals("http")) || authority == null)
            throw new IllegalArgumentException("must be absolute, such as https://example.com/path");
        if (authority.indexOf('@') >= 0 || uri.getRawFragment() != null)
            throw new IllegalArgumentException("has a user or a fragment; leave them out");
        return of(scheme.equals("https"), authority, uri);
    }

    private static WebhookUrl of(boolean secure, String authority, URI uri) {
        int colon = authority.indexOf(':', authority.lastIndexOf(']') + 1);
        HostName host;
        try {
            host = HostName.parse(colon < 0 ? authority : authority.substring(0, colon));
        } catch (ToolException e) {
            throw new IllegalArgumentException("has no usable host: " + e.getMessage(), e);
        }
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return new WebhookUrl(secure, host, port(colon < 0 ? "" : authority.substring(colon + 1), secure),
                uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery());
    }

    private static int port(String text, boolean secure) {
        if (text.isEmpty())
            return secure ? HTTPS : HTTP;
        int port = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > MAX_PORT)
            throw new IllegalArgumentException("has no port: 1 to " + MAX_PORT);
        return port;
    }

    /// Host and port, which name the receiver.
    String receiver() {
        return host.text() + ":" + port;
    }

    /// The value of the header `Host`.
    String authority() {
        return port == (secure ? HTTPS : HTTP) ? host.text() : receiver();
    }
}
