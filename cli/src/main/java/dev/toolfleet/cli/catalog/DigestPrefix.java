package dev.toolfleet.cli.catalog;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.toolfleet.cli.terminal.Failure;

/// A content's digest as a person writes it: whole, or its first digits, with `sha256:` or without.
record DigestPrefix(String text) {
    private static final String ALGORITHM = "sha256:";
    private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{6,64}");

    /// @throws Failure (invalid) when it is none
    static DigestPrefix of(String written) {
        String digits = written.strip().toLowerCase(Locale.ROOT);
        if (digits.startsWith(ALGORITHM))
            digits = digits.substring(ALGORITHM.length());
        if (!DIGITS.matcher(digits).matches())
            throw Failure.invalid("'" + written + "' is no digest: write sha256: and its hexadecimal digits, or the first"
                    + " six or more of these, as `catalog show` prints them");
        return new DigestPrefix(ALGORITHM + digits);
    }

    boolean fits(String digest) {
        return digest.startsWith(text);
    }

    /// The one digest that is meant.
    ///
    /// @throws Failure when none fits, or several (invalid)
    String resolve(Collection<String> digests) {
        List<String> fitting = digests.stream().filter(this::fits).toList();
        if (fitting.isEmpty())
            throw Failure.failed("no content on tool.catalog.content has the digest " + text
                    + "; contents go away some time after the last step that used them. `catalog show --instance KEY`"
                    + " prints the digest of an instance's catalog");
        if (fitting.size() > 1)
            throw Failure.invalid("several contents begin with " + text + "; write more digits: "
                    + String.join(", ", fitting));
        return fitting.getFirst();
    }
}
