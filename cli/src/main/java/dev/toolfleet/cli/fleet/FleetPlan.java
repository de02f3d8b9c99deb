package dev.toolfleet.cli.fleet;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.resources.BundleSigner;

/// Parts of a fleet in one JVM.
///
/// @param port of the broker; 0 picks a free one
/// @param data where the broker keeps its data; empty for data that goes away
/// @param workspace root of the instances' folders
/// @param bundles to apply at the start, for a broker at `host:port`
/// @param settings of `worker`, `catalog` and `gateway`, by full key
/// @param signer signs every bundle, and worker and catalog service then ask for signatures; empty for none
public record FleetPlan(int port, Optional<Path> data, Path workspace, Function<String, List<LocalBundle>> bundles,
        Map<String, String> settings, Optional<BundleSigner> signer) {
    /// Partitions of a fleet in one JVM.
    public static final int PARTITIONS = 4;

    /// Copies the settings.
    public FleetPlan {
        settings = Map.copyOf(settings);
    }

    /// A fleet that leaves nothing behind but the workspace.
    public static FleetPlan temporary(Path workspace, LocalBundle bundle, Map<String, String> settings) {
        return new FleetPlan(0, Optional.empty(), workspace, broker -> List.of(bundle), settings, Optional.empty());
    }

    /// The same with the broker at another port.
    public FleetPlan at(int newPort) {
        return new FleetPlan(newPort, data, workspace, bundles, settings, signer);
    }
}
