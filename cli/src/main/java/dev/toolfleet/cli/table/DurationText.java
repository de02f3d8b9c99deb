package dev.toolfleet.cli.table;

import java.time.Duration;
import java.util.Locale;

/// Durations as people read them: `8 ms`, `1.24 s`, `2 min 05 s`.
public final class DurationText {
    private DurationText() {}

    /// `duration` as an age, in whole units of what counts: `5 s`, `12 min`, `2 h 05 min`, `3 d 4 h`.
    public static String coarse(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 60)
            return seconds + " s";
        if (seconds < 3600)
            return seconds / 60 + " min";
        if (seconds < 86_400)
            return String.format(Locale.ROOT, "%d h %02d min", seconds / 3600, seconds / 60 % 60);
        return seconds / 86_400 + " d " + seconds / 3600 % 24 + " h";
    }

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
