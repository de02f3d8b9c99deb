package dev.toolfleet.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;

/// HTTP settings of a process of the fleet.
///
/// @param section the part of `fleet.yaml` with these settings, such as `catalog.http`; for messages
/// @param address to bind to
/// @param port 0 for a free one
/// @param token that requests must carry; without one, only this machine may send requests
/// @param advertised the address for other services and clients; empty for the bound address, or for this machine's
///        name if the service is bound to all addresses
/// @param principals true if the service knows its callers by tokens of their own, so that other machines may reach it
public record HttpConfig(String section, String address, int port, Optional<BearerToken> token,
        Optional<HostPort> advertised, boolean principals) {
    /// The default address: only this machine.
    public static final String DEFAULT_ADDRESS = "127.0.0.1";
    /// The port that means no HTTP at all.
    public static final String OFF = "off";

    /// Rejects an address that others can reach if there is no token.
    ///
    /// @throws IllegalArgumentException naming the setting and, unless it is secret, its value
    public HttpConfig {
        if (address.isBlank())
            throw new IllegalArgumentException(section + ".address is empty; write 127.0.0.1, or 0.0.0.0 for all");
        if (port < 0 || port > HostPort.HIGHEST_PORT)
            throw wrongPort(section, Integer.toString(port));
        if (token.isEmpty() && !principals && !isLoopback(address))
            throw new IllegalArgumentException(section + ".address '" + address + "' can be reached from other"
                    + " machines, and no " + section + ".token is set: anyone could read its answers. Set "
                    + variable(section) + "_TOKEN, or bind to 127.0.0.1");
    }

    /// Makes settings of a service with one token, or none.
    public HttpConfig(String section, String address, int port, Optional<BearerToken> token,
            Optional<HostPort> advertised) {
        this(section, address, port, token, advertised, false);
    }

    /// Reads the settings; empty when HTTP is off.
    ///
    /// @param section that holds them, for messages
    /// @param port a number or [#OFF]
    /// @param token empty for none
    /// @param advertised `host:port`; empty for none
    /// @throws IllegalArgumentException naming the setting and, unless it is secret, its value
    public static Optional<HttpConfig> of(String section, String address, String port, String token,
            String advertised) {
        Optional<BearerToken> bearer = token.isEmpty()
                ? Optional.empty()
                : Optional.of(new BearerToken(section + ".token", token));
        return of(section, address, port, bearer, advertised, false);
    }

    /// Reads the settings of a service that knows its callers by tokens of their own; empty when HTTP is off. The service
    /// must check that it has such callers, unless [#isLocal].
    ///
    /// @param section that holds them, for messages
    /// @param port a number or [#OFF]
    /// @param advertised `host:port`; empty for none
    /// @throws IllegalArgumentException naming the setting and its value
    public static Optional<HttpConfig> ofPrincipals(String section, String address, String port, String advertised) {
        return of(section, address, port, Optional.empty(), advertised, true);
    }

    private static Optional<HttpConfig> of(String section, String address, String port, Optional<BearerToken> token,
            String advertised, boolean principals) {
        Optional<HostPort> reached = advertised.isBlank()
                ? Optional.empty()
                : Optional.of(HostPort.parse(advertised).orElseThrow(() -> new IllegalArgumentException(
                        section + ".advertised '" + advertised + "' is not allowed: host:port, such as"
                                + " node-1.example.org:7070")));
        if (port.strip().equals(OFF))
            return Optional.empty();
        if (!port.strip().matches("\\d{1,5}"))
            throw wrongPort(section, port);
        return Optional.of(
                new HttpConfig(section, address.strip(), Integer.parseInt(port.strip()), token, reached, principals));
    }

    /// True if only this machine reaches the address.
    public boolean isLocal() {
        return isLoopback(address);
    }

    /// The setting that lets other machines in.
    String credential() {
        return principals ? section.replaceFirst("\\..*", "") + ".principals" : key("token");
    }

    private static IllegalArgumentException wrongPort(String section, String port) {
        return new IllegalArgumentException(section + ".port '" + port + "' is not allowed: 1 to 65535, 0 for a free"
                + " one, or " + OFF);
    }

    private static String variable(String section) {
        return "TOOLFLEET_" + section.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    /// The whole key of a setting of this section.
    String key(String name) {
        return section + "." + name;
    }

    /// Returns the address of this service.
    ///
    /// @param boundTo the port that the server got
    HostPort reachedAt(int boundTo) {
        return advertised.orElseGet(() -> new HostPort(isWildcard(address) ? machineName() : address, boundTo));
    }

    /// True if only this machine reaches the address. Names other than `localhost` may lead anywhere.
    private static boolean isLoopback(String address) {
        return address.equals("localhost") || literal(address).filter(InetAddress::isLoopbackAddress).isPresent();
    }

    private static boolean isWildcard(String address) {
        return literal(address).filter(InetAddress::isAnyLocalAddress).isPresent();
    }

    private static Optional<InetAddress> literal(String address) {
        try {
            return Optional.of(InetAddress.ofLiteral(address));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String machineName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
