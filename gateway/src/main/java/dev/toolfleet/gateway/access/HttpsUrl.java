package dev.toolfleet.gateway.access;

import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/// Rule for addresses in settings that must not be read or changed on their way: `https`, or `http` of this machine.
final class HttpsUrl {
    private HttpsUrl() {}

    /// Returns the address; empty when the rule forbids it.
    static Optional<URI> of(String text) {
        URI uri;
        try {
            uri = URI.create(text);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        boolean plain = uri.getHost() != null && uri.getRawUserInfo() == null && uri.getRawQuery() == null
                && uri.getRawFragment() == null;
        boolean safe = scheme.equals("https")
                || (scheme.equals("http") && isLoopback(String.valueOf(uri.getHost())));
        return plain && safe ? Optional.of(uri) : Optional.empty();
    }

    private static boolean isLoopback(String host) {
        if (host.equalsIgnoreCase("localhost"))
            return true;
        try {
            return InetAddress.ofLiteral(host.startsWith("[") ? host.substring(1, host.length() - 1) : host)
                    .isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
