package dev.toolfleet.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/// Finds the known name that a misspelt one probably means.
final class Nearest {
    private Nearest() {}

    /// Returns the nearest of `names`, or null when none is near enough.
    static @Nullable String to(String wrong, Collection<String> names) {
        return names.stream().min(Comparator.comparingInt(name -> distance(wrong, name)))
                .filter(name -> distance(wrong, name) <= Math.max(2, wrong.length() / 3)).orElse(null);
    }

    /// Returns Levenshtein's distance, ignoring case.
    static int distance(String left, String right) {
        String a = left.toLowerCase(Locale.ROOT);
        String b = right.toLowerCase(Locale.ROOT);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++)
            row[j] = j;
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
