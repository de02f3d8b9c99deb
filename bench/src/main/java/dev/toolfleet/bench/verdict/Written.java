package dev.toolfleet.bench.verdict;

import java.time.Instant;
import java.util.Comparator;

/// A record that the broker acknowledged on `tool.call`.
///
/// @param topic how many topics of that name were deleted before
/// @param at when it was appended
public record Written(int topic, long offset, Instant at) implements Comparable<Written> {
    private static final Comparator<Written> ORDER = Comparator.comparingInt(Written::topic)
            .thenComparingLong(Written::offset);

    @Override
    public int compareTo(Written other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return topic == 0 ? Long.toString(offset) : offset + " of topic " + (topic + 1);
    }
}
