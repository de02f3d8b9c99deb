package dev.toolfleet.bench.compare;

import java.util.Locale;

/// Numbers as reports write them.
public final class Numbers {
    private Numbers() {}

    /// Without digits behind the point.
    public static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    /// With one digit behind the point.
    public static String tenths(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }

    /// With two digits behind the point.
    public static String hundredths(double value) {
        return String.format(Locale.ROOT, "%,.2f", value);
    }

    /// For other programs: no grouping.
    public static String plain(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
