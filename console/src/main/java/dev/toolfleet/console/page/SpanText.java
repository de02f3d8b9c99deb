package dev.toolfleet.console.page;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/// Texts of times. Pages show instants in UTC; a script of the page writes them relative to now. Pure.
final class SpanText {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY_MILLIS = 24 * HOUR;

    private SpanText() {}

    /// Returns a time of day, such as `20:31:05`.
    static String clock(Instant at) {
        return CLOCK.format(at);
    }

    /// Returns day and time, such as `2026-11-28 20:31:05 UTC`.
    static String full(@Nullable Instant at) {
        return at == null ? "–" : DAY.format(at) + " UTC";
    }

    /// Returns a duration in at most two units, such as `4.2 s` or `3 min 20 s`.
    static String of(@Nullable Duration span) {
        if (span == null)
            return "–";
        long millis = Math.max(0, span.toMillis());
        if (millis < SECOND)
            return millis + " ms";
        if (millis < 10 * SECOND)
            return String.format(Locale.ROOT, "%.1f s", millis / (double) SECOND);
        if (millis < MINUTE)
            return millis / SECOND + " s";
        if (millis < HOUR)
            return two(millis / MINUTE, "min", millis % MINUTE / SECOND, "s");
        if (millis < DAY_MILLIS)
            return two(millis / HOUR, "h", millis % HOUR / MINUTE, "min");
        return two(millis / DAY_MILLIS, "d", millis % DAY_MILLIS / HOUR, "h");
    }

    private static String two(long large, String unit, long small, String smaller) {
        return large + " " + unit + (small == 0 ? "" : " " + small + " " + smaller);
    }
}
