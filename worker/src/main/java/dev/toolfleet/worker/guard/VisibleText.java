package dev.toolfleet.worker.guard;

/// Shows in a text what a reader would not see and a terminal or a shell may obey, each as JSON writes it, a
/// backslash, `u` and four hexadecimal digits: control characters other than tab and line ends, characters that only
/// direct others or show nothing, halves of surrogate pairs. Takes nothing out. Pure.
final class VisibleText {
    private VisibleText() {}

    /// The text with escapes; the very same when all of it can be seen.
    static String of(String text) {
        int at = 0;
        while (at < text.length() && isSeen(text, at))
            at += Character.charCount(text.codePointAt(at));
        return at == text.length() ? text : escaped(text, at);
    }

    private static String escaped(String text, int from) {
        StringBuilder out = new StringBuilder(text.length() + 64).append(text, 0, from);
        int at = from;
        while (at < text.length()) {
            int next = at + Character.charCount(text.codePointAt(at));
            if (isSeen(text, at))
                out.append(text, at, next);
            else
                for (int i = at; i < next; i++)
                    out.append(String.format("\\u%04x", (int) text.charAt(i)));
            at = next;
        }
        return out.toString();
    }

    private static boolean isSeen(String text, int at) {
        int c = text.codePointAt(at);
        if (c >= 0x20 && c < 0x7f)
            return true;
        // Without a line feed it makes a terminal write over what it has written.
        if (c == '\r')
            return at + 1 < text.length() && text.charAt(at + 1) == '\n';
        if (c == '\t' || c == '\n')
            return true;
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                false;
            default -> !isBlank(c);
        };
    }

    /// What Unicode lets a reader leave out (Default_Ignorable_Code_Point) beside format characters, and letters that
    /// look like blanks.
    private static boolean isBlank(int c) {
        return c == 0x34f || c == 0x115f || c == 0x1160 || c == 0x17b4 || c == 0x17b5 || (c >= 0x180b && c <= 0x180f)
                || c == 0x2065 || c == 0x2800 || c == 0x3164 || (c >= 0xfe00 && c <= 0xfe0f) || c == 0xffa0
                || (c >= 0xfff0 && c <= 0xfff8) || (c >= 0xe0000 && c <= 0xe0fff);
    }
}
