package dev.toolfleet.session.compaction;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Search for identifiers in text: UUIDs, paths, hexadecimal digests, and numbers that a name marks as an identifier,
/// such as `"orderId": 4711` or `#4711`. A summary must not change them, and models do. Linear in the text's length.
final class Identifiers {
    private static final int MAX = 200;
    private static final int MAX_LENGTH = 200;
    private static final Pattern PATTERN = Pattern.compile("""
            \\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\\b\
            |(?<![\\w.~/-])(?:[\\w.~-]++)?(?:/[\\w.@+-]++){2,}\
            |\\b[0-9a-f]{32,64}\\b\
            |(?:\\bid|Id|_id)"\\s?:\\s?"?([0-9]+)\\b\
            |#([0-9]+)\\b""");

    private Identifiers() {}

    /// Returns the identifiers of a text, in order, at most 200.
    static List<String> in(String text) {
        Set<String> found = new LinkedHashSet<>();
        Matcher matcher = PATTERN.matcher(text).useTransparentBounds(true).useAnchoringBounds(false);
        // Only words around a digit or a slash are searched: others are most of a text, and hold no identifier.
        for (int at = marked(text, 0); at < text.length() && found.size() < MAX; at = marked(text, at)) {
            int end = wordEnd(text, at);
            matcher.region(wordStart(text, wordStart(text, at) - 1), end);
            while (found.size() < MAX && matcher.find())
                add(matcher, found);
            at = end;
        }
        return List.copyOf(found);
    }

    private static void add(Matcher matcher, Set<String> found) {
        String number = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        String identifier = number == null ? matcher.group() : number;
        if (identifier.length() <= MAX_LENGTH)
            found.add(identifier);
    }

    private static int marked(String text, int from) {
        int at = from;
        while (at < text.length() && !isMark(text.charAt(at)))
            at++;
        return at;
    }

    private static boolean isMark(char c) {
        return c == '/' || (c >= '0' && c <= '9');
    }

    private static int wordEnd(String text, int from) {
        int end = from;
        while (end < text.length() && text.charAt(end) > ' ')
            end++;
        return end;
    }

    /// The start of the word that holds or ends before a place.
    private static int wordStart(String text, int from) {
        int start = Math.max(from, 0);
        while (start > 0 && text.charAt(start - 1) > ' ')
            start--;
        return start;
    }
}
