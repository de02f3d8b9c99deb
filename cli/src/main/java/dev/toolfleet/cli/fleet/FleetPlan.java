package dev.toolfleet.cli.fleet;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.gateway.app.GatewayPages;
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
/// @param pages pages for people that its gateway serves; empty for none
public record FleetPlan(int port, Optional<Path> data, Path workspace, Function<String, List<LocalBundle>> bundles,
        Map<String, String> settings, Optional<BundleSigner> signer, Optional<FleetPages> pages) {
    /// Partitions of a fleet in one JVM.
    public static final int PARTITIONS = 4;

    /// Makes the pages of a fleet's gateway.
    @FunctionalInterface
    public interface FleetPages {
        /// Makes them, before the fleet has started.
        ///
        /// @param workers returns the addresses of the workers that answer over HTTP at this moment
        GatewayPages of(FleetConfig config, Supplier<List<URI>> workers);
    }

    /// Copies the settings.
    public FleetPlan {
        settings = Map.copyOf(settings);
    }

    /// A fleet that leaves nothing behind but the workspace.
    public static FleetPlan temporary(Path workspace, LocalBundle bundle, Map<String, String> settings) {
        return new FleetPlan(0, Optional.empty(), workspace, broker -> List.of(bundle), settings, Optional.empty(),
                Optional.empty());
    }

    /// The same with the broker at another port.
    public FleetPlan at(int newPort) {
        return new FleetPlan(newPort, data, workspace, bundles, settings, signer, pages);
    }

    /// The same with pages.
    public FleetPlan showing(FleetPages newPages) {
        return new FleetPlan(port, data, workspace, bundles, settings, signer, Optional.of(newPages));
    }
}
