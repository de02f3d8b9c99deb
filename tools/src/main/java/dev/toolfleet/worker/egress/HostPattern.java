package dev.toolfleet.worker.egress;

import java.util.OptionalInt;

import dev.toolfleet.tool.ToolException;

/// Hosts that an operator names: `api.example.com`, an address, or `*.example.com` for all names below `example.com`; with
/// a port (`example.com:8443`) on that port alone. Names are compared in the spelling of [HostName].
///
/// @param host a host's name or literal address
/// @param below whether the names below it are meant, and not it
/// @param port the only port; empty where others decide
public record HostPattern(String host, boolean below, OptionalInt port) {
    /// Such texts, for messages.
    public static final String FORM = "host names such as api.example.com or example.com:8443, or *.example.com for"
            + " those below it";
    private static final String BELOW = "*.";

    /// Reads a pattern.
    ///
    /// @throws IllegalArgumentException when it is none
    public static HostPattern parse(String text) {
        boolean below = text.startsWith(BELOW);
        try {
            RequestedHost named = RequestedHost.parse(below ? text.substring(BELOW.length()) : text);
            if (below && named.host().literal().isPresent())
                throw new IllegalArgumentException("nothing is below an address");
            return new HostPattern(named.host().text(), below, named.port());
        } catch (ToolException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    /// True if this pattern matches a host on a port.
    ///
    /// @param others the ports of a pattern that names none
    public boolean matches(String name, int toPort, PortRules others) {
        boolean named = below ? name.endsWith("." + host) : name.equals(host);
        return named && (port.isPresent() ? port.getAsInt() == toPort : others.allows(toPort));
    }

    /// True if this pattern matches all that the other matches.
    public boolean covers(HostPattern other) {
        boolean hosts = below
                ? other.host.endsWith("." + host) || (other.below && other.host.equals(host))
                : !other.below && other.host.equals(host);
        return hosts && (port.isEmpty() || port.equals(other.port));
    }

    @Override
    public String toString() {
        return (below ? BELOW : "") + host + (port.isPresent() ? ":" + port.getAsInt() : "");
    }
}
