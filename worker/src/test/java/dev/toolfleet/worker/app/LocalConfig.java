package dev.toolfleet.worker.app;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.config.KafkaConfig;
import dev.toolfleet.hosts.HostsConfig;
import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.catalog.CatalogMode;
import dev.toolfleet.worker.egress.EgressConfig;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.lane.LaneLimits;
import dev.toolfleet.worker.record.LoopConfig;
import dev.toolfleet.worker.runtime.builtin.ToolCeilings;
import dev.toolfleet.worker.sandbox.SandboxConfig;

/// What a [LocalFleet] of a test is made with.
final class LocalConfig {
    private LocalConfig() {}

    /// @param folder for everything that a worker has on disk
    static WorkerConfig of(CatalogMode mode, Path folder, int maxInFlight, Duration timeout) {
        return of(mode, folder, maxInFlight, timeout, LoopConfig.OFF);
    }

    static WorkerConfig of(CatalogMode mode, Path folder, int maxInFlight, Duration timeout, LoopConfig loops) {
        return new WorkerConfig(new KafkaConfig("unused:9092", Map.of()), new Topics(""),
                new WorkerConfig.Identity("g", "w1", Duration.ofSeconds(6), Duration.ofSeconds(30)),
                new LaneLimits(maxInFlight, 1 << 20, 50),
                new WorkerConfig.Calls(mode, Duration.ofMillis(50), timeout, List.of(), "",
                        new DedupeConfig(Duration.ofMinutes(10), 1_000), 100, Duration.ofMinutes(5), 20,
                        loops, TracingConfig.OFF, EgressConfig.DEFAULT),
                new WorkerConfig.Folders(folder, Duration.ofDays(7), bundle -> folder, BundleTrust.ALL,
                        new WorkerConfig.Completion(folder, -1), SandboxConfig.OFF),
                new WorkerConfig.Code(ToolCeilings.unset(), HostsConfig.DEFAULT, GitConfig.NONE),
                new WorkerConfig.Life(Duration.ofSeconds(1), Duration.ofMinutes(5)),
                new WorkerConfig.OAuth(Optional.empty(), Optional.empty()), Optional.empty());
    }
}
