package dev.toolfleet.bundle.check;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Guesses what somebody meant to write.
final class Nearest {
    private Nearest() {}

    /// The candidate that is written almost the same, or of which the text is a
    /// longer or shorter form.
    static Optional<String> to(String text, Collection<String> candidates) {
        String lower = text.toLowerCase(Locale.ROOT);
        return candidates.stream().filter(candidate -> isNear(lower, candidate.toLowerCase(Locale.ROOT)))
                .min(Comparator.<String>comparingInt(candidate -> distance(lower, candidate.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /// A hint that names it, or `otherwise`.
    static String hint(String text, Collection<String> candidates, String otherwise) {
        return to(text, candidates).map(near -> "Did you mean " + near + "?").orElse(otherwise);
    }

    private static boolean isNear(String text, String candidate) {
        boolean form = Math.min(text.length(), candidate.length()) >= 4
                && (text.startsWith(candidate) || candidate.startsWith(text));
        return form || distance(text, candidate) <= Math.max(1, Math.min(text.length(), candidate.length()) / 3);
    }

    private static int distance(String from, String to) {
        int[] before = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = before[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(before[j], row[j - 1]) + 1);
            }
            before = row;
        }
        return before[to.length()];
    }
}
