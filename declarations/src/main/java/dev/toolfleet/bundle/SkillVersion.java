package dev.toolfleet.bundle;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/// Version of a skill, as in semantic versioning 2.0: `1.4.0`, `2.0.0-rc.1`. The order is that of precedence, in which
/// build metadata does not count; so two different versions may compare as 0.
///
/// @param text as written
public record SkillVersion(String text) implements Comparable<SkillVersion> {
    private static final Pattern FORM = Pattern.compile("(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)"
            + "(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?"
            + "(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?");
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final int LONGEST = 100;

    /// The version of a skill that declares none. Behind the pattern, which it needs.
    public static final SkillVersion NONE = new SkillVersion("0.0.0");

    /// @throws IllegalArgumentException when it is no version
    public SkillVersion {
        if (text.length() > LONGEST || !FORM.matcher(text).matches())
            throw new IllegalArgumentException("'" + text + "' is no version such as 1.4.0 or 2.0.0-rc.1");
    }

    /// Returns the version; empty when the text is none.
    public static Optional<SkillVersion> parse(String text) {
        return text.length() <= LONGEST && FORM.matcher(text).matches()
                ? Optional.of(new SkillVersion(text))
                : Optional.empty();
    }

    @Override
    public int compareTo(SkillVersion other) {
        Matcher mine = matched();
        Matcher its = other.matched();
        for (int part = 1; part <= 3; part++) {
            int order = new BigInteger(mine.group(part)).compareTo(new BigInteger(its.group(part)));
            if (order != 0)
                return order;
        }
        return comparePreReleases(mine.group(4), its.group(4));
    }

    private Matcher matched() {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches())
            throw new IllegalStateException(text);
        return matcher;
    }

    /// A release comes after its pre-releases; identifiers compare one by one, numbers before words.
    private static int comparePreReleases(@Nullable String one,
            @Nullable String other) {
        if (one == null || other == null)
            return Boolean.compare(one == null, other == null);
        List<String> mine = List.of(one.split("\\."));
        List<String> its = List.of(other.split("\\."));
        for (int i = 0; i < Math.min(mine.size(), its.size()); i++) {
            int order = compareIdentifiers(mine.get(i), its.get(i));
            if (order != 0)
                return order;
        }
        return Integer.compare(mine.size(), its.size());
    }

    private static int compareIdentifiers(String one, String other) {
        boolean number = NUMBER.matcher(one).matches();
        boolean otherNumber = NUMBER.matcher(other).matches();
        if (number && otherNumber)
            return new BigInteger(one).compareTo(new BigInteger(other));
        return number == otherNumber ? one.compareTo(other) : Boolean.compare(otherNumber, number);
    }

    /// The version as written.
    @Override
    public String toString() {
        return text;
    }
}
