package dev.toolfleet.worker.tools.texttransform;

/// Text by characters (code points), so that no emoji is cut in two. Pure.
final class CodePoints {
    private CodePoints() {}

    static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    /// From `start` up to but without `end`; negative ones count from the end of the text, and those outside of it mean
    /// its ends.
    static String slice(String text, long start, long end) {
        int length = length(text);
        int from = index(start, length);
        int to = index(end, length);
        if (from >= to)
            return "";
        int begin = text.offsetByCodePoints(0, from);
        return text.substring(begin, text.offsetByCodePoints(begin, to - from));
    }

    static String trimStart(String text) {
        int at = 0;
        while (at < text.length() && isBlank(text.codePointAt(at)))
            at += Character.charCount(text.codePointAt(at));
        return text.substring(at);
    }

    static String trimEnd(String text) {
        int at = text.length();
        while (at > 0 && isBlank(text.codePointBefore(at)))
            at -= Character.charCount(text.codePointBefore(at));
        return text.substring(0, at);
    }

    private static int index(long given, int length) {
        return (int) (given < 0 ? Math.max(0, length + given) : Math.min(given, length));
    }

    /// True for the characters that ECMAScript trims: white space of Unicode, line ends and the byte order mark.
    private static boolean isBlank(int c) {
        boolean separator = c >= 0x1C && c <= 0x1F; // White space to Java alone.
        return (Character.isWhitespace(c) && !separator) || Character.isSpaceChar(c) || c == 0xFEFF;
    }
}
