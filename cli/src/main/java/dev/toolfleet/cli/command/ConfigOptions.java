package dev.toolfleet.cli.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.toolfleet.config.FleetConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options that name a configuration.
final class ConfigOptions {
    private static final Path DEFAULT_FILE = Path.of("fleet.yaml");

    @Option(names = "--config", paramLabel = "FILE", description = "The configuration (default: $TOOLFLEET_CONFIG, else ./fleet.yaml if there is one).")
    private @Nullable Path file;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Overrides one setting, such as --set worker.maxInFlight=500. May be repeated.")
    private Map<String, String> settings = new LinkedHashMap<>();

    /// The configuration, from file, environment and these flags.
    ///
    /// @param flags further settings, which override the others
    FleetConfig load(Map<String, String> environment, Map<String, String> flags) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.putAll(flags);
        return FleetConfig.load(file(environment), environment, all);
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
