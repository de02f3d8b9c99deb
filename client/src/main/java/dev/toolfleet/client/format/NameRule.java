package dev.toolfleet.client.format;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.toolfleet.json.Digests;

/// Rule for the names that a provider accepts, and replacements for the others.
///
/// An accepted name stays as it is. Any other becomes its accepted characters, cut, and a piece of its SHA-256. The
/// replacement is the same in every catalog, beside any other tools, so that a transcript of an earlier step keeps its
/// meaning. Two names never get the same one.
///
/// @param extra accepted characters beside ASCII letters, digits, `_` and `-`
/// @param maxLength in characters
record NameRule(String extra, int maxLength) {
    /// Names of tools at OpenAI and, as its reference publishes it, Anthropic: `^[a-zA-Z0-9_-]{1,64}$`. Anthropic's
    /// service takes 128 characters; with 64 a tool has one name at both.
    static final NameRule PROVIDER = new NameRule("", 64);
    /// Names of tools in the Model Context Protocol, revision 2025-11-25.
    static final NameRule MCP = new NameRule(".", 128);
    /// Names of arguments at Anthropic: `^[a-zA-Z0-9_.-]{1,64}$`.
    static final NameRule ANTHROPIC_ARGUMENT = new NameRule(".", 64);

    private static final int HASH_FROM = "sha256:".length();
    private static final int HASH_LENGTH = 12;

    /// True if the provider accepts the name as it is.
    boolean accepts(String name) {
        return !name.isEmpty() && name.length() <= maxLength && name.chars().allMatch(this::accepts);
    }

    /// Returns the replacement of each name, by the name.
    Map<String, String> given(Collection<String> names) {
        Map<String, String> given = new TreeMap<>();
        Set<String> taken = new HashSet<>();
        Set<String> refused = new TreeSet<>();
        for (String name : names) {
            if (accepts(name)) {
                given.put(name, name);
                taken.add(name);
            } else {
                refused.add(name);
            }
        }
        for (String name : refused) {
            String candidate = candidate(name, name);
            // Almost never happens, unless a name was chosen to collide.
            for (int again = 1; !taken.add(candidate); again++)
                candidate = candidate(name, name + "\0" + again);
            given.put(name, candidate);
        }
        return given;
    }

    private String candidate(String name, String hashed) {
        int room = maxLength - HASH_LENGTH - 1;
        StringBuilder readable = new StringBuilder();
        name.codePoints().limit(room).forEach(c -> readable.append(accepts(c) ? (char) c : '_'));
        return readable + "_" + Digests.sha256(hashed).substring(HASH_FROM, HASH_FROM + HASH_LENGTH);
    }

    private boolean accepts(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'
                || extra.indexOf(c) >= 0;
    }
}
