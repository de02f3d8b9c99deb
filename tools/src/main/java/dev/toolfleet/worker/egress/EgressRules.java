package dev.toolfleet.worker.egress;

import java.time.Duration;

/// Rules of the proxies for commands: hosts, addresses, and how much one command may use.
///
/// @param list the hosts
/// @param addresses which addresses these may have
/// @param lookup knows the addresses
/// @param bounds of one command
public record EgressRules(EgressList list, AddressRules addresses, AddressLookup lookup, Bounds bounds) {

    /// Bounds on the connections of one command.
    ///
    /// @param connections at a time
    /// @param bytes sent and received, together
    /// @param head how long a request may take to name its destination
    /// @param idle how long a connection may be silent
    public record Bounds(int connections, long bytes, Duration head, Duration idle) {
        static final int CONNECTIONS = 32;
        static final Duration HEAD = Duration.ofSeconds(10);
        static final Duration IDLE = Duration.ofMinutes(2);
    }

    /// Those of a worker: only public addresses.
    public static EgressRules of(EgressConfig config) {
        return new EgressRules(config.list(), AddressRules.PUBLIC_ONLY, AddressLookup.ofMachine(),
                new Bounds(Bounds.CONNECTIONS, config.maxBytes(), Bounds.HEAD, Bounds.IDLE));
    }
}
