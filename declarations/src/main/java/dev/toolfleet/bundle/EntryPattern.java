package dev.toolfleet.bundle;

import java.util.Optional;
import java.util.regex.Pattern;

/// Pattern for the entries of Tools, such as `builtin:bash` or `java:com.acme.*`: selects tools by their code, under
/// whatever name a bundle declares it. `*` stands for any characters; upper and lower case differ, as they do in
/// entries.
///
/// An entry is compared in its one form ([EntryKind#text()]): blanks around it and a `./` before the path of a jar make
/// no other entry.
///
/// @param glob its pattern
public record EntryPattern(Glob glob) {
    /// The form of a pattern for entries, for messages.
    public static final String FORM = "builtin:NAME, java:CLASS or lib/NAME.jar#CLASS, in which * stands for anything";

    /// Beginnings that mark a text as an entry, also behind a star; `extension:` and `mcp:` are those of registered
    /// tools.
    private static final Pattern FORMS = Pattern.compile("#|^[^:]*\\*[^:]*:|^(builtin|java|extension|mcp):");

    /// Returns the pattern for a text.
    ///
    /// @throws IllegalArgumentException when the text cannot be used; see [#problem(String)]
    public static EntryPattern of(String text) {
        problem(text).ifPresent(problem -> {
            throw new IllegalArgumentException("the entry '" + text + "' " + problem);
        });
        String stripped = text.strip();
        return new EntryPattern(Glob.ofText(stripped.contains("*")
                ? stripped.replaceFirst("^(\\./+)+", "")
                : EntryKind.parse(stripped).text()));
    }

    /// Returns the problem of a text as a pattern for entries, as a clause that follows it; empty for none.
    public static Optional<String> problem(String text) {
        String stripped = text.strip();
        if (stripped.length() > Glob.MAX_TEXT_LENGTH)
            return Optional.of("is longer than " + Glob.MAX_TEXT_LENGTH + " characters");
        if (stripped.chars().anyMatch(Character::isISOControl))
            return Optional.of("holds a control character");
        if (!FORMS.matcher(stripped).find())
            return Optional.of("is no entry; write " + FORM);
        if (!stripped.contains("*") && EntryKind.parse(stripped) instanceof EntryKind.Malformed malformed)
            return Optional.of("is no entry: " + malformed.reason());
        return Optional.empty();
    }

    /// True if a text is meant as an entry: no tool's name holds a colon or a `#`.
    public static boolean looksLikeOne(String text) {
        return text.contains(":") || text.contains("#");
    }

    /// True if it selects the code of that entry.
    ///
    /// @param entry in its one form, [EntryKind#text()]
    public boolean matches(String entry) {
        return glob.matches(entry);
    }

    /// True if it selects every entry that the other one selects; false also when that is uncertain.
    public boolean covers(EntryPattern other) {
        return glob.covers(other.glob);
    }

    @Override
    public String toString() {
        return glob.toString();
    }
}
