package dev.toolfleet.hosts;

import java.time.Duration;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.Settings;

/// The section `worker.hosts`: processes that run handlers in other languages than Java.
///
/// @param node the program that runs JavaScript and TypeScript, a name on the `PATH` or a path
/// @param python the program that runs Python
/// @param memory bytes that the handlers of a process may use
/// @param processes for each bundle and language: handlers of one process share a processor
/// @param renewal the end of a process that works well
public record HostsConfig(String node, String python, long memory, int processes, Renewal renewal) {
    /// Settings of a worker whose configuration names none.
    public static final HostsConfig DEFAULT = new HostsConfig("node", "python3", 512L << 20, 1,
            new Renewal(0, Duration.ZERO));
    private static final long LEAST_MEMORY = 32L << 20;

    /// Renewal of processes whose handlers keep memory or handles. The next process takes the calls; the former one ends
    /// after those that it has.
    ///
    /// @param maxCalls calls of a process; 0 for any number
    /// @param maxAge its age; 0 for any
    public record Renewal(long maxCalls, Duration maxAge) {
        boolean isDue(long calls, Duration age) {
            return (maxCalls > 0 && calls >= maxCalls) || (maxAge.isPositive() && age.compareTo(maxAge) >= 0);
        }
    }

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
                hosts.bytes("memory", DEFAULT.memory), hosts.integer("processes", DEFAULT.processes, 1, 64),
                new Renewal(hosts.integer("maxCalls", 0, 0, Integer.MAX_VALUE),
                        hosts.duration("maxAge", Duration.ZERO)));
    }
}
