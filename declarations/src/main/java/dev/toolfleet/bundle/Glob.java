package dev.toolfleet.bundle;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/// Pattern in which `*` stands for any characters, also for none, and everything else for itself. Patterns for tools'
/// names ignore case; those for entries and other texts do not.
///
/// Matching takes time in proportion to the text's length for each piece between two stars. It never goes back over a
/// matched piece.
public final class Glob {
    /// The longest pattern for names.
    public static final int MAX_LENGTH = 128;
    /// The longest pattern for texts.
    public static final int MAX_TEXT_LENGTH = 256;
    /// Selects every tool.
    public static final Glob ANY = new Glob("*", true);

    private static final Pattern USABLE = Pattern.compile("[A-Za-z0-9_.*-]+");

    private final String text;
    private final String head;
    private final String tail;
    private final List<String> between;
    private final boolean exact;
    private final boolean anyCase;

    private Glob(String text, boolean anyCase) {
        this.text = text;
        this.anyCase = anyCase;
        int first = text.indexOf('*');
        int last = text.lastIndexOf('*');
        exact = first < 0;
        head = exact ? text : text.substring(0, first);
        tail = exact ? "" : text.substring(last + 1);
        between = exact ? List.of() : pieces(text.substring(first, last + 1));
    }

    /// Returns the pattern for a text.
    ///
    /// @throws IllegalArgumentException when the text cannot be used; see [#problem(String)]
    public static Glob of(String text) {
        problem(text).ifPresent(problem -> {
            throw new IllegalArgumentException("the pattern '" + text + "' " + problem);
        });
        return new Glob(joined(text.strip().toLowerCase(Locale.ROOT)), true);
    }

    /// Returns the pattern for texts, with case. Any character may be in it.
    ///
    /// @throws IllegalArgumentException when the text is empty or longer than [#MAX_TEXT_LENGTH]
    public static Glob ofText(String text) {
        if (text.isEmpty() || text.length() > MAX_TEXT_LENGTH)
            throw new IllegalArgumentException(
                    "a pattern has 1 to " + MAX_TEXT_LENGTH + " characters, and this one has "
                            + text.length());
        return new Glob(joined(text), false);
    }

    private static String joined(String text) {
        return text.replaceAll("\\*+", "*");
    }

    /// Returns the problem of a text as a pattern, as a clause that follows it; empty for none.
    public static Optional<String> problem(String text) {
        String stripped = text.strip();
        if (stripped.length() > MAX_LENGTH)
            return Optional.of("is longer than " + MAX_LENGTH + " characters");
        if (!USABLE.matcher(stripped).matches())
            return Optional.of("may hold only letters, digits, '_', '-', '.' and '*'");
        return Optional.empty();
    }

    /// True if it selects this name or text.
    public boolean matches(String name) {
        return fits(anyCase ? name.toLowerCase(Locale.ROOT) : name);
    }

    /// True if it selects this name, which must have no upper-case letter.
    public boolean matchesLowerCase(String name) {
        return fits(name);
    }

    private boolean fits(String name) {
        if (exact)
            return name.equals(text);
        int end = name.length() - tail.length();
        if (end < head.length() || !name.startsWith(head) || !name.endsWith(tail))
            return false;
        int at = head.length();
        for (String piece : between) {
            int found = name.indexOf(piece, at);
            if (found < 0 || found + piece.length() > end)
                return false;
            at = found + piece.length();
        }
        return true;
    }

    /// True if it selects every tool that the other one selects. A star of the other counts as a letter that only a
    /// star matches. Both are patterns of the same sort.
    public boolean covers(Glob other) {
        return fits(other.text);
    }

    /// True if it has no star.
    public boolean isExact() {
        return exact;
    }

    /// Number of characters that stand for themselves: the more, the more specific.
    public int literals() {
        return text.length() - (int) text.chars().filter(c -> c == '*').count();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Glob glob && glob.text.equals(text) && glob.anyCase == anyCase;
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /// Returns the pattern; that of names in lower case.
    @Override
    public String toString() {
        return text;
    }

    private static List<String> pieces(String stars) {
        List<String> pieces = new ArrayList<>();
        for (String piece : stars.split("\\*", -1)) {
            if (!piece.isEmpty())
                pieces.add(piece);
        }
        return List.copyOf(pieces);
    }
}
