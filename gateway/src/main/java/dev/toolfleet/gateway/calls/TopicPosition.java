package dev.toolfleet.gateway.calls;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Position of a reader on a topic: an offset of each partition, as `{partition}-{offset}` with dots between. A reader
/// that goes forward continues with these offsets, and one that goes back continues below them.
///
/// @param offsets by partition; a partition that is missing is read from the end at which the reader begins
public record TopicPosition(SortedMap<Integer, Long> offsets) {
    private static final Pattern PART = Pattern.compile("(0|[1-9]\\d{0,8})-(0|[1-9]\\d{0,17})");
    private static final int MOST_PARTITIONS = 10_000;
    private static final int QUOTED = 60;

    /// Copies the offsets.
    public TopicPosition {
        offsets = Collections.unmodifiableSortedMap(new TreeMap<>(offsets));
    }

    /// Reads a position.
    ///
    /// @throws IllegalArgumentException naming the text and the expected form
    public static TopicPosition parse(String text) {
        SortedMap<Integer, Long> offsets = new TreeMap<>();
        for (String part : text.split("\\.", MOST_PARTITIONS)) {
            Matcher matcher = PART.matcher(part);
            if (!matcher.matches()
                    || offsets.put(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2))) != null)
                throw new IllegalArgumentException("'"
                        + (text.length() <= QUOTED ? text : text.substring(0, QUOTED) + "…")
                        + "' is no position: the value of 'next' expected, as an earlier answer had it");
        }
        return new TopicPosition(offsets);
    }

    /// Returns the text that [#parse] reads.
    @Override
    public String toString() {
        return offsets.entrySet().stream().map(TopicPosition::text).collect(Collectors.joining("."));
    }

    private static String text(Map.Entry<Integer, Long> one) {
        return one.getKey() + "-" + one.getValue();
    }
}
