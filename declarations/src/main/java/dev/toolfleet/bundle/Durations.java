package dev.toolfleet.bundle;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Durations as people write them in bundles: `500ms`, `30s`, `10m`, `1h30m`, `2d`, or ISO 8601 (`PT5M`).
public final class Durations {
    /// The accepted form, for messages.
    public static final String FORM = "a positive duration such as 500ms, 30s, 10m, 1h30m or PT5M";

    private static final Pattern PART = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");

    private Durations() {}

    /// Parses a duration; empty when the text is malformed or not positive.
    public static Optional<Duration> parse(String text) {
        try {
            Duration duration = text.toUpperCase(Locale.ROOT).startsWith("P") ? Duration.parse(text) : parts(text);
            return duration.isPositive() ? Optional.of(duration) : Optional.empty();
        } catch (DateTimeException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static Duration parts(String text) {
        Duration sum = Duration.ZERO;
        Matcher part = PART.matcher(text);
        int end = 0;
        while (end < text.length() && part.find(end) && part.start() == end) {
            sum = sum.plus(part(Long.parseLong(part.group(1)), part.group(2)));
            end = part.end();
        }
        return end == text.length() ? sum : Duration.ZERO;
    }

    private static Duration part(long amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
