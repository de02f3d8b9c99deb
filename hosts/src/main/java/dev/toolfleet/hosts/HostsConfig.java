package dev.toolfleet.hosts;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.Settings;

/// The section `worker.hosts`: processes that run handlers in other languages than Java.
///
/// @param node the program that runs JavaScript and TypeScript, a name on the `PATH` or a path
/// @param python the program that runs Python
/// @param memory bytes that the handlers of a process may use
/// @param processes for each bundle and language: handlers of one process share a processor
public record HostsConfig(String node, String python, long memory, int processes) {
    /// Settings of a worker whose configuration names none.
    public static final HostsConfig DEFAULT = new HostsConfig("node", "python3", 512L << 20, 1);
    private static final long LEAST_MEMORY = 32L << 20;

    /// Refuses memory with which no host starts.
    public HostsConfig {
        if (memory < LEAST_MEMORY)
            throw new ConfigException("worker.hosts.memory", Long.toString(memory), "at least 32MB");
    }

    /// Reads the section.
    ///
    /// @throws ConfigException when a value cannot be used
    public static HostsConfig of(Settings hosts) {
        return new HostsConfig(hosts.text("node", DEFAULT.node), hosts.text("python", DEFAULT.python),
                hosts.bytes("memory", DEFAULT.memory), hosts.integer("processes", DEFAULT.processes, 1, 64));
    }
}
