package dev.toolfleet.cli.fleet;

import java.nio.file.Path;

import dev.toolfleet.config.Effective;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.worker.app.WorkerConfig;
import dev.toolfleet.worker.sandbox.SandboxConfig;

/// Settings of a worker's parts for commands that try a bundle out without a broker.
public final class LocalWorker {
    private static final String WORKSPACE = "worker.workspace.root";
    private static final String SANDBOX_MODE = "worker.sandbox.mode";

    private LocalWorker() {}

    /// Makes the settings.
    ///
    /// @param temporary has the workspace, unless the configuration names one
    public static WorkerConfig config(FleetConfig config, Path temporary, LocalBundle bundle) {
        // A key of worker processes, which a file for both has.
        config.worker().path("bundles", Path.of("bundles"));
        WorkerConfig worker = WorkerConfig.of(config.kafka(), config.topics(), config.worker(), "local",
                name -> name.equals(bundle.name()) ? bundle.folder() : temporary);
        // Who tries a tool out trusts himself.
        SandboxConfig.Mode mode = isSet(config, SANDBOX_MODE)
                ? worker.folders().sandbox().mode()
                : SandboxConfig.Mode.PREFERRED;
        return worker.local(
                isSet(config, WORKSPACE) ? worker.folders().workspace() : temporary.resolve("workspace"), mode);
    }

    private static boolean isSet(FleetConfig config, String key) {
        return config.effective().stream()
                .anyMatch(setting -> setting.key().equals(key) && !setting.origin().equals(Effective.DEFAULT));
    }
}
