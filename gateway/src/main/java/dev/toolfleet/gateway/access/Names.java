package dev.toolfleet.gateway.access;

import java.util.List;

/// Names that a principal may use: exact ones, and beginnings with `*` behind them.
///
/// @param patterns empty for every name
record Names(List<String> patterns) {
    /// Every name.
    static final Names ALL = new Names(List.of());

    Names {
        patterns = List.copyOf(patterns);
    }

    /// True if there is no other name.
    boolean areAll() {
        return patterns.isEmpty();
    }

    boolean contain(String name) {
        return patterns.isEmpty() || patterns.stream().anyMatch(pattern -> pattern.endsWith("*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern));
    }
}
