package dev.toolfleet.gateway.calls;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Text form `{partition}-{offset}` of a record's place.
final class NumberPair {
    private static final Pattern FORM = Pattern.compile("(0|[1-9]\\d{0,9})-(0|[1-9]\\d{0,18})");
    /// The part of a wrong text that a message repeats.
    private static final int QUOTED = 60;

    /// Makes the value of two numbers.
    ///
    /// @param <T> the value's type
    interface Maker<T> {
        T of(int partition, long offset);
    }

    private NumberPair() {}

    static <T> T parse(String what, String text, Maker<T> maker) {
        Matcher matcher = FORM.matcher(text);
        if (matcher.matches()) {
            try {
                return maker.of(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)));
            } catch (NumberFormatException e) {
                // A number beyond its type; reported below.
            }
        }
        String quoted = text.length() <= QUOTED ? text : text.substring(0, QUOTED) + "…";
        throw new IllegalArgumentException("'" + quoted + "' is no " + what
                + ": {partition}-{offset} expected, two whole numbers without leading zeros, such as 3-1042");
    }
}
