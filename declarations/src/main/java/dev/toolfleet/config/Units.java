package dev.toolfleet.config;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/// Durations and sizes in their text forms. A number without a unit is no duration: its unit would be a guess.
public final class Units {
    /// The forms that [#duration] accepts, for error messages.
    static final String DURATION = "a duration such as 250ms, 30s, 10m, 2h, 7d or PT5M";
    /// The forms that [#bytes] accepts, for error messages.
    static final String BYTES = "a size such as 65536, 512KB, 64MB or 1GB (1 KB = 1024 bytes)";

    private static final Pattern DURATION_TEXT = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h|d)");
    private static final Pattern BYTES_TEXT = Pattern.compile("(\\d{1,15})\\s*(b|kb|kib|mb|mib|gb|gib)?");

    private Units() {}

    /// Parses `30s`, `10m`, `PT5M`; null when the text is no duration or negative.
    public static @Nullable Duration duration(String text) {
        String trimmed = text.strip();
        Matcher match = DURATION_TEXT.matcher(trimmed.toLowerCase(Locale.ROOT));
        if (match.matches()) {
            long count = Long.parseLong(match.group(1));
            return switch (match.group(2)) {
                case "ms" -> Duration.ofMillis(count);
                case "s" -> Duration.ofSeconds(count);
                case "m" -> Duration.ofMinutes(count);
                case "h" -> Duration.ofHours(count);
                default -> Duration.ofDays(count);
            };
        }
        try {
            Duration parsed = Duration.parse(trimmed);
            return parsed.isNegative() ? null : parsed;
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /// Parses `64MB`; null when the text is no size.
    static @Nullable Long bytes(String text) {
        Matcher match = BYTES_TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!match.matches())
            return null;
        long count = Long.parseLong(match.group(1));
        String unit = match.group(2) == null ? "b" : match.group(2).substring(0, 1);
        int shift = switch (unit) {
            case "k" -> 10;
            case "m" -> 20;
            case "g" -> 30;
            default -> 0;
        };
        return count > Long.MAX_VALUE >> shift ? null : Long.valueOf(count << shift);
    }

    /// A duration in the form that [#duration] reads.
    static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 1000 != 0)
            return millis + "ms";
        long seconds = millis / 1000;
        if (seconds != 0 && seconds % 86_400 == 0)
            return seconds / 86_400 + "d";
        if (seconds != 0 && seconds % 3600 == 0)
            return seconds / 3600 + "h";
        return seconds != 0 && seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }
}
