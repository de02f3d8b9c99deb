package dev.toolfleet.http;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Address of a service.
///
/// @param host a name or an address; one of IPv6 without brackets
public record HostPort(String host, int port) {
    static final int HIGHEST_PORT = 65_535;
    private static final Pattern FORM = Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([A-Za-z0-9._-]+)):(\\d{1,5})");

    /// Reads `host:port`, an IPv6 address in brackets.
    public static Optional<HostPort> parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches())
            return Optional.empty();
        int port = Integer.parseInt(matcher.group(3));
        if (port < 1 || port > HIGHEST_PORT)
            return Optional.empty();
        return Optional.of(new HostPort(matcher.group(1) == null ? matcher.group(2) : matcher.group(1), port));
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
