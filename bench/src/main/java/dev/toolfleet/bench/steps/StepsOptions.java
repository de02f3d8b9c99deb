package dev.toolfleet.bench.steps;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Options of a run.
///
/// @param rate steps a second
/// @param measured how long steps are measured with each of the settings, after a warm-up
/// @param settings client properties of the catalog service beside its own, one after the other
public record StepsOptions(int rate, Duration measured, List<Map<String, String>> settings) {
    /// Checks the values.
    ///
    /// @throws IllegalArgumentException naming one
    public StepsOptions {
        settings = settings.stream().map(Map::copyOf).toList();
        if (rate < 1 || rate > 100_000)
            throw new IllegalArgumentException("rate is " + rate + "; it must be 1 to 100000");
        if (measured.toSeconds() < 1 || measured.toHours() >= 1)
            throw new IllegalArgumentException("seconds is " + measured.toSeconds() + "; it must be 1 to 3599");
        if (settings.isEmpty())
            throw new IllegalArgumentException("there are no settings to measure; name some, or none at all");
    }
}
