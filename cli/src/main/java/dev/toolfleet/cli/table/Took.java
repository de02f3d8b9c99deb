package dev.toolfleet.cli.table;

import java.time.Duration;
import java.util.Locale;

/// Durations as people read them: `8 ms`, `1.24 s`, `2 min 05 s`.
public final class Took {
    private Took() {}

    /// `duration` in at most 11 columns.
    public static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 1000)
            return millis + " ms";
        if (millis < 60_000)
            return String.format(Locale.ROOT, "%.2f s", millis / 1000.0);
        return String.format(Locale.ROOT, "%d min %02d s", millis / 60_000, millis / 1000 % 60);
    }
}
