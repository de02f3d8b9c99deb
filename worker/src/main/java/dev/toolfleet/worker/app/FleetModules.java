package dev.toolfleet.worker.app;

import java.util.Map;

import dev.toolfleet.loading.EntryModules;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.worker.middleware.LoggingExtension;
import dev.toolfleet.worker.runtime.builtin.BuiltinModules;

/// What a worker runs: the built-in Tools and Extensions, and those of bundles.
final class FleetModules {
    private FleetModules() {}

    static ModuleLoader of(WorkerConfig.BundleFolders folders) {
        return new EntryModules(folders::folder, BuiltinModules.TOOLS, Map.of("logging", LoggingExtension::new));
    }
}
