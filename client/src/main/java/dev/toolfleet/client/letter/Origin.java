package dev.toolfleet.client.letter;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/// Place of a record before it became a dead letter, or of the dead letter that a mark is about.
public record Origin(String topic, int partition, long offset) {
    private static final Pattern TEXT = Pattern.compile("([a-zA-Z0-9._-]{1,249})/(\\d{1,9})/(\\d{1,18})");

    /// Empty when the header is missing or has another form.
    public static Optional<Origin> of(@Nullable String header) {
        if (header == null)
            return Optional.empty();
        Matcher match = TEXT.matcher(header);
        return match.matches()
                ? Optional.of(new Origin(match.group(1), Integer.parseInt(match.group(2)),
                        Long.parseLong(match.group(3))))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return topic + "/" + partition + "/" + offset;
    }
}
