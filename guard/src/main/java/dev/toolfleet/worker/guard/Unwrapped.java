package dev.toolfleet.worker.guard;

import org.jspecify.annotations.Nullable;

/// Text without the characters that tools put between those of encoded bytes: the line ends of `base64` and `xxd -p`,
/// the blanks and colons between pairs of hexadecimal digits, and the offsets and letter columns of a dump (`xxd`,
/// `hexdump -C`, `od -A x`). Maps each of its characters to its place. Immutable.
final class Unwrapped {
    /// Shortest line of wrapped base64; the shortest that tools write has 60 characters or more.
    private static final int SHORTEST_LINE = 16;
    /// The fewest groups of digits in a row that count as encoded bytes and not as prose.
    private static final int FEWEST_GROUPS = 4;
    private static final int LONGEST_GROUP = 8;
    private static final int BYTES_OF_LINE = 16;
    private static final int SHORTEST_OFFSET = 4;
    private static final int LONGEST_OFFSET = 16;

    private final String text;
    private final StringBuilder kept = new StringBuilder();
    /// Place of each kept character.
    private final int[] places;
    /// End of a piece for a reader, by its last kept character. In a dump it is the end of the line, whose letters
    /// repeat the bytes.
    private final int[] ends;

    private Unwrapped(String text) {
        this.text = text;
        this.places = new int[text.length()];
        this.ends = new int[text.length()];
    }

    /// Unwraps a text; null if nothing in it is wrapped, as in nearly every text.
    static @Nullable Unwrapped of(String text) {
        if (!mayBeWrapped(text))
            return null;
        Unwrapped unwrapped = new Unwrapped(text);
        unwrapped.lines();
        return unwrapped;
    }

    /// Adds the finder's findings, by their places in the text.
    void find(TextFinder finder, Spans spans) {
        Spans within = new Spans();
        finder.find(kept.toString(), within);
        within.forEach((start, end) -> spans.add(places[start], ends[end - 1]));
    }

    private static boolean mayBeWrapped(String text) {
        int run = 0;
        int digits = 0;
        int groups = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isEncoded(c)) {
                run++;
                digits = isHex(c) ? digits + 1 : LONGEST_GROUP + 1;
                continue;
            }
            if (isLineEnd(c) && run >= SHORTEST_LINE)
                return true;
            groups = isGroup(digits) && isBetween(c) ? groups + 1 : 0;
            if (groups >= FEWEST_GROUPS)
                return true;
            run = 0;
            digits = 0;
        }
        return false;
    }

    private void lines() {
        int at = 0;
        while (at < text.length()) {
            int end = text.indexOf('\n', at);
            end = end < 0 ? text.length() : end;
            int from = firstGroup(at, end);
            if (from < 0)
                line(at, end);
            else
                dumped(from, end);
            at = end + 1;
        }
    }

    private void line(int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c != ':' && !Character.isWhitespace(c))
                keep(i, i + 1);
        }
    }

    /// Returns the start of the first group of a dump's line; -1 if the line is none.
    private int firstGroup(int from, int to) {
        int start = blanks(from, to);
        int end = hex(start, to);
        if (end - start < SHORTEST_OFFSET || end - start > LONGEST_OFFSET || end == to)
            return -1;
        int next = text.charAt(end) == ':' ? end + 1 : end;
        int group = blanks(next, to);
        return group > next && isGroup(hex(group, to) - group) ? group : -1;
    }

    private void dumped(int from, int to) {
        int at = from;
        int digits = 0;
        while (at < to) {
            int end = hex(at, to);
            boolean isGroup = isGroup(end - at) && (end == to || Character.isWhitespace(text.charAt(end)));
            if (!isGroup)
                return;
            for (int i = at; i < end; i++)
                keep(i, to);
            digits += end - at;
            at = blanks(end, to);
            // Letters follow two blanks, except for the two blanks in the middle of a line of 16 bytes.
            if (at - end > 1 && digits >= 2 * BYTES_OF_LINE)
                return;
        }
    }

    private void keep(int place, int end) {
        places[kept.length()] = place;
        ends[kept.length()] = end;
        kept.append(text.charAt(place));
    }

    private int blanks(int from, int to) {
        int at = from;
        while (at < to && (text.charAt(at) == ' ' || text.charAt(at) == '\t'))
            at++;
        return at;
    }

    private int hex(int from, int to) {
        int at = from;
        while (at < to && isHex(text.charAt(at)))
            at++;
        return at;
    }

    private static boolean isGroup(int digits) {
        return digits >= 2 && digits <= LONGEST_GROUP && digits % 2 == 0;
    }

    private static boolean isBetween(char c) {
        return c == ' ' || c == ':' || c == '\t' || isLineEnd(c);
    }

    private static boolean isLineEnd(char c) {
        return c == '\n' || c == '\r';
    }

    private static boolean isHex(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }

    private static boolean isEncoded(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '/'
                || c == '-' || c == '_' || c == '=';
    }
}
