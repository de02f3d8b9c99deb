package dev.toolfleet.worker.egress;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.config.ConfigException;

/// Hosts that the operator lets tools reach, `worker.egress.allow`. A host without a port means the ports of web servers.
///
/// @param every whether all hosts are on it; then the settings of a Tool decide
/// @param hosts those that are on it by name
public record EgressList(boolean every, List<HostPattern> hosts) {
    /// The setting, for messages.
    public static final String SETTING = "worker.egress.allow";
    /// The entry that means every host.
    public static final String EVERY = "*";
    /// Every host.
    public static final EgressList ALL = new EgressList(true, List.of());

    /// Copies the list.
    public EgressList {
        hosts = List.copyOf(hosts);
    }

    /// Reads the entries.
    ///
    /// @throws ConfigException when one is no pattern
    public static EgressList of(List<String> entries) {
        List<HostPattern> hosts = new ArrayList<>();
        for (String entry : entries) {
            try {
                if (!entry.equals(EVERY))
                    hosts.add(HostPattern.parse(entry));
            } catch (IllegalArgumentException e) {
                throw new ConfigException(SETTING, entry, HostPattern.FORM + ", or '*' for all (" + e.getMessage()
                        + ")");
            }
        }
        return new EgressList(entries.contains(EVERY), hosts);
    }

    /// Returns the reason why a tool may not reach a port of a host, as a sentence; empty if it may. A host that is not
    /// on the list is not looked up either.
    public Optional<String> refusal(HostName host, int port) {
        return refusal(every || named(host, port), host, port);
    }

    /// The same for a command, whose ports nothing else bounds.
    Optional<String> refusalToCommand(HostName host, int port) {
        return refusal(named(host, port) || (every && PortRules.WEB.allows(port)), host, port);
    }

    private static Optional<String> refusal(boolean allowed, HostName host, int port) {
        return allowed
                ? Optional.empty()
                : Optional.of("The host '" + host.text() + "', port " + port
                        + ", is not among those that the operator allows (" + SETTING + ").");
    }

    private boolean named(HostName host, int port) {
        return hosts.stream().anyMatch(each -> each.matches(host.text(), port, PortRules.WEB));
    }
}
