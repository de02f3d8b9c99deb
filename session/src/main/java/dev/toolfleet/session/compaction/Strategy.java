package dev.toolfleet.session.compaction;

import java.util.Locale;
import java.util.Optional;

/// Way to make a transcript shorter (seed 003, section 4.7), by rising loss.
public enum Strategy {
    /// Shortens long results of tools.
    TRUNCATE_TOOLS,
    /// Replaces the oldest frames by a summary.
    SUMMARIZE,
    /// Drops the oldest frames.
    TRUNCATE_OLDEST,
    /// Shortens results, then summarises. A report names the steps that were taken, never this.
    HYBRID;

    /// Returns the strategy with this wire name, such as `truncate-tools`; empty for other names.
    public static Optional<Strategy> of(String wireName) {
        for (Strategy strategy : values()) {
            if (strategy.wireName().equals(wireName))
                return Optional.of(strategy);
        }
        return Optional.empty();
    }

    /// Returns the name in declarations and reports.
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
