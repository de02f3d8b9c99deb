package dev.toolfleet.bench.compare;

import java.util.Locale;

/// Numbers as reports write them.
final class Numbers {
    private Numbers() {}

    static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    static String tenths(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }

    static String hundredths(double value) {
        return String.format(Locale.ROOT, "%,.2f", value);
    }

    /// For other programs: no grouping.
    static String plain(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
