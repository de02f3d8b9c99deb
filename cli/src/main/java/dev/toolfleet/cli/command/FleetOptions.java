package dev.toolfleet.cli.command;

import java.time.InstantSource;
import java.util.Map;

import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.config.FleetConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Options that name a command's fleet.
final class FleetOptions {
    @Mixin
    private ConfigOptions config = new ConfigOptions();

    @Option(names = "--bootstrap", paramLabel = "HOST:PORT", description = "Where Kafka is (the setting kafka.bootstrapServers; default: localhost:9092).")
    private @Nullable String bootstrap;

    /// The configuration, from file, environment and these flags.
    FleetConfig load(Map<String, String> environment) {
        return config.load(environment, bootstrap == null ? Map.of() : Map.of("kafka.bootstrapServers", bootstrap));
    }

    /// The fleet of that configuration.
    RemoteFleet open(CommandContext context) {
        return new RemoteFleet(load(context.environment()), context.terminal(), InstantSource.system());
    }

    /// True if a flag names the brokers.
    boolean namesBroker() {
        return bootstrap != null;
    }
}
