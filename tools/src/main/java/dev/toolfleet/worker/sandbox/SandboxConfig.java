package dev.toolfleet.worker.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.Settings;
import dev.toolfleet.worker.egress.EgressConfig;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.egress.EgressRules;

/// The section `worker.sandbox`: reach and resources of the programs that tools start.
///
/// @param network the hosts to which they may connect
/// @param limits the resources that they may use
/// @param readable files and folders that they see, read-only, beside the system's
public record SandboxConfig(Mode mode, Network network, Limits limits, List<Path> readable) {
    /// Programs as they are: no walls, no limits.
    public static final SandboxConfig OFF = new SandboxConfig(Mode.OFF, new Network.None(), Limits.DEFAULT, List.of());
    private static final String READABLE = "worker.sandbox.readable";
    private static final List<Path> MADE_ANEW = List.of(Path.of("/proc"), Path.of("/dev"));

    /// Choice whether the worker requires walls.
    public enum Mode {
        /// No start without them.
        REQUIRED,
        /// Used where the system has them.
        PREFERRED,
        /// Not used.
        OFF
    }

    /// The network of programs behind walls.
    public sealed interface Network {
        /// A loopback of their own and nothing else.
        record None() implements Network {}

        /// A loopback of their own, with a proxy on it that leads where the rules allow.
        record Egress(EgressRules rules) implements Network {}

        /// That of the worker.
        record Shared() implements Network {}

        /// Reads the setting.
        private static Network of(String text, EgressConfig egress) {
            return switch (text.strip().toLowerCase(Locale.ROOT)) {
                case "false" -> new None();
                case "egress" -> new Egress(EgressRules.of(egress));
                case "true" -> {
                    if (!egress.list().every())
                        throw new ConfigException("worker.sandbox.network is 'true', which gives commands the worker's"
                                + " whole network, and " + EgressList.SETTING + " names the hosts that tools may reach:"
                                + " set worker.sandbox.network to 'egress' to lead commands to these hosts alone, or to"
                                + " 'false'");
                    yield new Shared();
                }
                default -> throw new ConfigException("worker.sandbox.network", text, "true, false or egress");
            };
        }
    }

    /// Limits on the programs of one call.
    ///
    /// @param processes how many processes and threads at a time
    /// @param memory bytes of all of them together where control groups can be made, else of each
    /// @param cpuTime processor time of each
    /// @param fileSize bytes of a file that they write
    public record Limits(int processes, long memory, Duration cpuTime, long fileSize) {
        static final Limits DEFAULT = new Limits(256, 4L << 30, Duration.ofMinutes(10), 1L << 30);
        private static final long LEAST_MEMORY = 16L << 20;

        /// Refuses limits with which no program could run.
        public Limits {
            if (memory < LEAST_MEMORY)
                throw new ConfigException("worker.sandbox.memory", Long.toString(memory), "at least 16MB");
            if (cpuTime.compareTo(Duration.ofSeconds(1)) < 0)
                throw new ConfigException("worker.sandbox.cpuTime", cpuTime.toString(), "at least 1s");
            if (fileSize < 1)
                throw new ConfigException("worker.sandbox.fileSize", Long.toString(fileSize), "at least 1 byte");
        }
    }

    /// Copies the list.
    public SandboxConfig {
        readable = List.copyOf(readable);
    }

    /// Reads the section.
    ///
    /// @param egress where tools may connect
    /// @throws ConfigException when a value cannot be used
    public static SandboxConfig of(Settings sandbox, EgressConfig egress) {
        return new SandboxConfig(sandbox.choice("mode", Mode.REQUIRED),
                Network.of(sandbox.text("network", "false"), egress),
                new Limits(sandbox.integer("processes", Limits.DEFAULT.processes, 1, 1_000_000),
                        sandbox.bytes("memory", Limits.DEFAULT.memory),
                        sandbox.duration("cpuTime", Limits.DEFAULT.cpuTime),
                        sandbox.bytes("fileSize", Limits.DEFAULT.fileSize)),
                sandbox.list("readable", List.of()).stream().map(Path::of).toList());
    }

    /// The same with another mode.
    public SandboxConfig with(Mode other) {
        return new SandboxConfig(other, network, limits, readable);
    }

    /// Refuses readable paths that are not there or would show one instance the folder of another.
    void check(Path workspace) {
        for (Path path : readable) {
            if (!path.isAbsolute() || !path.equals(path.normalize()) || !Files.exists(path))
                throw new ConfigException(READABLE, path.toString(), "absolute paths that exist, without '..'");
            if (overlap(path, workspace) || overlap(real(path), real(workspace)))
                throw new ConfigException(READABLE, path.toString(),
                        "paths that neither hold nor lie in the workspace '"
                                + workspace + "', where the folders of all instances are");
            if (MADE_ANEW.stream().anyMatch(path::startsWith))
                throw new ConfigException(READABLE, path.toString(), "paths outside of /proc and /dev");
        }
    }

    private static boolean overlap(Path a, Path b) {
        return a.startsWith(b) || b.startsWith(a);
    }

    static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (java.io.IOException e) {
            return path.toAbsolutePath().normalize(); // The workspace is made later.
        }
    }
}
