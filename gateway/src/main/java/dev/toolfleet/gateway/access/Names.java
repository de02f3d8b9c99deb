package dev.toolfleet.gateway.access;

import java.util.ArrayList;
import java.util.List;

/// Names that a principal may use: exact ones, and beginnings with `*` behind them.
///
/// @param groups a name must match a pattern of each group; without groups, every name matches
record Names(List<List<String>> groups) {
    /// Every name.
    static final Names ALL = new Names(List.of());

    Names {
        groups = groups.stream().map(List::copyOf).toList();
    }

    /// The names of a setting: those of these patterns, or every name without one.
    static Names of(List<String> patterns) {
        return patterns.isEmpty() ? ALL : ALL.and(patterns);
    }

    /// Those of the names that match one of these patterns; none without one.
    Names and(List<String> patterns) {
        List<List<String>> all = new ArrayList<>(groups);
        all.add(patterns);
        return new Names(all);
    }

    /// True if there is no other name.
    boolean areAll() {
        return groups.isEmpty();
    }

    boolean contain(String name) {
        return groups.stream().allMatch(group -> group.stream().anyMatch(pattern -> pattern.endsWith("*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern)));
    }
}
