package dev.toolfleet.client.letter;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Place of a dead letter on `tool.dead-letter`, written as `3:17`.
public record LetterAddress(int partition, long offset) implements Comparable<LetterAddress> {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9}):(\\d{1,18})");
    private static final Comparator<LetterAddress> ORDER = Comparator.comparingInt(LetterAddress::partition)
            .thenComparingLong(LetterAddress::offset);

    /// Parses an address.
    ///
    /// @throws IllegalArgumentException when it is none
    public static LetterAddress of(String text) {
        Matcher match = TEXT.matcher(text.strip());
        if (!match.matches())
            throw new IllegalArgumentException(
                    "'" + text + "' is no address of a dead letter: write PARTITION:OFFSET, such as 3:17,"
                            + " as toolfleet dlq list prints it");
        return new LetterAddress(Integer.parseInt(match.group(1)), Long.parseLong(match.group(2)));
    }

    @Override
    public int compareTo(LetterAddress other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return partition + ":" + offset;
    }
}
