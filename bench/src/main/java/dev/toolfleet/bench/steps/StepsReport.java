package dev.toolfleet.bench.steps;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Time from steps to their catalogs, and the cost, with each of the settings.
///
/// @param phases in the order in which they ran
public record StepsReport(List<Phase> phases) {
    /// The goal at 500 steps a second.
    public static final Duration GOAL = Duration.ofMillis(80);

    /// Copies the list.
    public StepsReport {
        phases = List.copyOf(phases);
    }

    /// From a step's sending to its catalog being read.
    public record Latency(Duration p50, Duration p95, Duration p99, Duration max) {}

    /// Cost of the measured steps.
    ///
    /// @param bytesPerStep on `tool.catalog.step`, with framing and the marks of commits
    /// @param marksPerSecond marks of commits on `tool.catalog.step`, one for each partition of each transaction
    /// @param serviceCores processors that the service kept busy
    /// @param brokerCores processors that the broker kept busy
    /// @param contents records on `tool.catalog.content`, since the service started
    public record Cost(double bytesPerStep, double marksPerSecond, double serviceCores, double brokerCores,
            int contents) {}

    /// One of the settings.
    ///
    /// @param settings client properties of the catalog service beside its own
    /// @param sent steps that were measured
    /// @param answered those of them that were answered
    /// @param rate at which they were sent, per second
    public record Phase(Map<String, String> settings, int sent, int answered, double rate, Latency latency,
            Cost cost) {}

    /// True if every step was answered, and with the first settings soon enough.
    public boolean kept() {
        return phases.stream().allMatch(phase -> phase.answered() == phase.sent())
                && phases.getFirst().latency().p99().compareTo(GOAL) <= 0;
    }
}
