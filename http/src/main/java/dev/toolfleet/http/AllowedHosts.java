package dev.toolfleet.http;

import java.net.InetAddress;
import java.util.Optional;

/// Which `Host` a request may name when no token is asked for. A page in a browser can have its own name lead to this
/// machine (DNS rebinding) and then read what is answered; its requests still carry that name. Pure.
///
/// @param bound the address that the service is bound to
/// @param advertised where it says that it is reached
record AllowedHosts(String bound, Optional<String> advertised) {
    static AllowedHosts of(HttpConfig config) {
        return new AllowedHosts(config.address(), config.advertised().map(HostPort::host));
    }

    /// Whether a request may name this host: `localhost`, any loopback address, [#bound] and [#advertised].
    ///
    /// @param host without port; an IPv6 address with or without brackets
    boolean contains(String host) {
        String name = bare(host);
        return name.equalsIgnoreCase("localhost") || isLoopback(name)
                || name.equalsIgnoreCase(bound) || advertised.filter(name::equalsIgnoreCase).isPresent();
    }

    private static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    private static boolean isLoopback(String name) {
        try {
            return InetAddress.ofLiteral(name).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
