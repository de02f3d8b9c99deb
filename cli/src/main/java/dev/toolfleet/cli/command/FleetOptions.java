package dev.toolfleet.cli.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.config.FleetConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options that name a command's fleet.
final class FleetOptions {
    private static final Path DEFAULT_FILE = Path.of("fleet.yaml");

    @Option(names = "--config", paramLabel = "FILE", description = "The configuration (default: $TOOLFLEET_CONFIG, else ./fleet.yaml if there is one).")
    private @Nullable Path file;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Overrides one setting, such as --set worker.maxInFlight=500. May be repeated.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(names = "--bootstrap", paramLabel = "HOST:PORT", description = "Where Kafka is (the setting kafka.bootstrapServers; default: localhost:9092).")
    private @Nullable String bootstrap;

    /// The configuration, from file, environment and these flags.
    FleetConfig load(Map<String, String> environment) {
        Map<String, String> flags = new LinkedHashMap<>(settings);
        if (bootstrap != null)
            flags.put("kafka.bootstrapServers", bootstrap);
        return FleetConfig.load(file(environment), environment, flags);
    }

    /// The fleet of that configuration.
    RemoteFleet open(CommandContext context) {
        return new RemoteFleet(load(context.environment()), context.terminal(), InstantSource.system());
    }

    /// True if a flag names the brokers.
    boolean namesBroker() {
        return bootstrap != null;
    }

    private @Nullable Path file(Map<String, String> environment) {
        if (file != null)
            return file;
        String named = environment.getOrDefault(FleetConfig.FILE_VARIABLE, "");
        if (!named.isEmpty())
            return Path.of(named);
        return Files.isRegularFile(DEFAULT_FILE) ? DEFAULT_FILE : null;
    }
}
