package dev.toolfleet.worker.identity;

import java.time.Duration;

/// Bounds on the answers that a partition remembers.
///
/// @param window the longest time between an answer and its duplicate, by the broker's append times
/// @param maxEntries of one partition; beyond it the oldest leave first
public record DedupeConfig(Duration window, int maxEntries) {
    /// Checks the ranges.
    public DedupeConfig {
        if (window.isNegative())
            throw new IllegalArgumentException("worker.dedupe.window must not be negative, got " + window);
        if (maxEntries < 1)
            throw new IllegalArgumentException("worker.dedupe.maxEntries must be at least 1, got " + maxEntries);
    }
}
