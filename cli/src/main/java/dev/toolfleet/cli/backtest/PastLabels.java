package dev.toolfleet.cli.backtest;

import java.util.Set;
import java.util.TreeSet;

/// Labels of an instance at some time, by the declarations of both states of a fleet.
///
/// @param before those that the tools add as the fleet has them now
/// @param after those that they add with the bundle
record PastLabels(Set<String> before, Set<String> after) {
    /// No labels.
    static final PastLabels NONE = new PastLabels(Set.of(), Set.of());

    /// Copies the sets.
    PastLabels {
        before = Set.copyOf(before);
        after = Set.copyOf(after);
    }

    /// Returns those of one finding: a rule in shadow is compared with the bundle's own verdict.
    PastLabels of(Finding finding) {
        return finding.isShadow() ? new PastLabels(after, after) : this;
    }

    boolean isEmpty() {
        return before.isEmpty() && after.isEmpty();
    }

    /// Returns these with those; these themselves when they have all of those.
    PastLabels and(PastLabels more) {
        return before.containsAll(more.before) && after.containsAll(more.after)
                ? this
                : new PastLabels(union(before, more.before), union(after, more.after));
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        Set<String> all = new TreeSet<>(one);
        all.addAll(other);
        return all;
    }

    /// Returns them for people: those of now, and behind an arrow those with the bundle, if these are others.
    String text() {
        if (isEmpty())
            return BacktestReport.NOTHING;
        return before.equals(after) ? text(after) : text(before) + " → " + text(after);
    }

    private static String text(Set<String> labels) {
        return labels.isEmpty() ? BacktestReport.NOTHING : String.join(", ", new TreeSet<>(labels));
    }
}
