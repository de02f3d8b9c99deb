package dev.toolfleet.worker.egress;

import java.util.List;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.Settings;

/// The section `worker.egress`: where tools may connect.
///
/// @param list the hosts
/// @param maxBytes how many bytes one command may send and receive through its proxy, together
public record EgressConfig(EgressList list, long maxBytes) {
    /// Every host.
    public static final EgressConfig DEFAULT = new EgressConfig(EgressList.ALL, 1L << 30);

    /// Refuses bounds that no command could use.
    public EgressConfig {
        if (maxBytes < 1)
            throw new ConfigException("worker.egress.maxBytes", Long.toString(maxBytes), "at least 1 byte");
    }

    /// Reads the section.
    ///
    /// @throws ConfigException when a value cannot be used
    public static EgressConfig of(Settings egress) {
        return new EgressConfig(EgressList.of(egress.list("allow", List.of(EgressList.EVERY))),
                egress.bytes("maxBytes", DEFAULT.maxBytes));
    }
}
