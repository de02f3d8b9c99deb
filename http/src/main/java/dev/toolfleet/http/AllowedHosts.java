package dev.toolfleet.http;

import java.net.InetAddress;
import java.util.Optional;

/// The hosts that a request may name when the service requires no token. Pure.
///
/// **Why.** A page in a browser can let its own name lead to this machine (DNS rebinding) and then read the answers.
/// Its requests still carry that name.
///
/// @param bound the address that the service is bound to
/// @param advertised the address that the service publishes for itself
record AllowedHosts(String bound, Optional<String> advertised) {
    static AllowedHosts of(HttpConfig config) {
        return new AllowedHosts(config.address(), config.advertised().map(HostPort::host));
    }

    /// True for `localhost`, any loopback address, [#bound] and [#advertised].
    ///
    /// @param host with or without port, as in the header `Host`
    boolean contains(String host) {
        String name = bare(host);
        return name.equalsIgnoreCase("localhost") || isLoopback(name)
                || name.equalsIgnoreCase(bound) || advertised.filter(name::equalsIgnoreCase).isPresent();
    }

    private static String bare(String host) {
        int port = host.lastIndexOf(':');
        String name = port > host.lastIndexOf(']') ? host.substring(0, port) : host;
        return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
    }

    private static boolean isLoopback(String name) {
        try {
            return InetAddress.ofLiteral(name).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
