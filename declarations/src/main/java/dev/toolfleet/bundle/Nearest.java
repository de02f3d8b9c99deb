package dev.toolfleet.bundle;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Guesses the intended word of a wrong one.
public final class Nearest {
    /// The longest compared name: the distance costs the product of the lengths.
    private static final int LONGEST = 100;

    private Nearest() {}

    /// Returns the candidate with almost the same spelling, or one that is a longer or shorter form of the text.
    public static Optional<String> to(String text, Collection<String> candidates) {
        String lower = text.toLowerCase(Locale.ROOT);
        return candidates.stream().filter(candidate -> isNear(lower, candidate.toLowerCase(Locale.ROOT)))
                .min(Comparator.<String>comparingInt(candidate -> distance(lower, candidate.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /// Returns a hint that names it, or `otherwise`.
    public static String hint(String text, Collection<String> candidates, String otherwise) {
        return to(text, candidates).map(near -> "Did you mean " + near + "?").orElse(otherwise);
    }

    private static boolean isNear(String text, String candidate) {
        if (Math.max(text.length(), candidate.length()) > LONGEST) {
            return false;
        }
        boolean form = Math.min(text.length(), candidate.length()) >= 4
                && (text.startsWith(candidate) || candidate.startsWith(text));
        return form || distance(text, candidate) <= Math.max(1, Math.min(text.length(), candidate.length()) / 3);
    }

    /// Edits between two texts, two swapped neighbours being one.
    private static int distance(String from, String to) {
        int[][] edits = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : cheapest(edits, from, to, i, j);
            }
        }
        return edits[from.length()][to.length()];
    }

    private static int cheapest(int[][] edits, String from, String to, int i, int j) {
        int replaced = edits[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2)
                && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(least, edits[i - 2][j - 2] + 1) : least;
    }
}
