package dev.toolfleet.worker.guard;

/// Removes characters that a reader does not see and a terminal or a model may obey: control characters other than tab
/// and line ends, terminal escape sequences as a whole, direction overrides, and invisible characters where they join
/// nothing. Joiners and selectors of emoji and of scripts that need them stay. Half a surrogate pair, which has no
/// UTF-8 form, becomes U+FFFD. One pass. Not thread-safe.
final class ControlCharacters {
    private static final char ESC = 0x1b;
    private static final char BEL = 0x07;
    private static final char STRING_TERMINATOR = 0x9c;
    private static final int BLACK_FLAG = 0x1f3f4;
    private static final int FIRST_FORM = 0xfe00;
    private static final int TEXT_FORM = 0xfe0e;
    private static final int COLOURED_FORM = 0xfe0f;
    private static final char KEY_CAP = 0x20e3;
    /// The longest flag is that of a subdivision: six letters and the end.
    private static final int MAX_TAGS = 7;

    private final String text;
    private final StringBuilder out;
    private int at;
    private int last = -1;
    private int tags;

    private ControlCharacters(String text, int from) {
        this.text = text;
        this.out = new StringBuilder(text.length()).append(text, 0, from);
        this.at = from;
        if (from > 0)
            last = text.codePointBefore(from);
    }

    /// Returns the text without them; the same object if there are none.
    static String strip(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isSuspicious(text.charAt(i))) {
                String stripped = new ControlCharacters(text, i).strip();
                return stripped.equals(text) ? text : stripped;
            }
        }
        return text;
    }

    /// Returns the text with U+FFFD for halves of surrogate pairs, and otherwise unchanged.
    static String paired(String text) {
        int at = 0;
        while (at < text.length()) {
            int codePoint = text.codePointAt(at);
            if (isSurrogate(codePoint))
                return text.codePoints().map(each -> isSurrogate(each) ? 0xfffd : each)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
            at += Character.charCount(codePoint);
        }
        return text;
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= 0xd800 && codePoint <= 0xdfff;
    }

    /// True if the character may have to go, which its context decides.
    private static boolean isSuspicious(char c) {
        if (c < 0x200b)
            return isControl(c) || c == 0x180e;
        return isInvisible(c) || isSelector(c) || Character.isSurrogate(c) || (c >= 0xfff9 && c <= 0xfffb);
    }

    private static boolean isControl(char c) {
        return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7f && c <= 0x9f);
    }

    private static boolean isSelector(int c) {
        return (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xe0100 && c <= 0xe01ef);
    }

    /// True for format characters that show nothing, including marks of direction.
    static boolean isInvisible(int c) {
        return (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f)
                || c == 0xfeff || c == 0x180e;
    }

    private String strip() {
        while (at < text.length()) {
            char c = text.charAt(at);
            switch (c) {
                case ESC -> escape();
                case 0x9b -> sequence(at + 1);
                case 0x90, 0x98, 0x9d, 0x9e, 0x9f -> string(at + 1);
                default -> one(c);
            }
        }
        return out.toString();
    }

    private void one(char c) {
        int codePoint = text.codePointAt(at);
        at += Character.charCount(codePoint);
        if (isSurrogate(codePoint))
            keep(0xfffd);
        else if (!isControl(c) && stays(codePoint))
            keep(codePoint);
    }

    private void keep(int codePoint) {
        out.appendCodePoint(codePoint);
        tags = isTag(codePoint) ? tags + 1 : 0;
        last = codePoint;
    }

    private boolean stays(int c) {
        // Left-to-right and right-to-left marks only repeat the direction of the text before; joiners form letters and
        // emoji.
        if (c == 0x200e || c == 0x200f)
            return last > 0x7f;
        if (c == 0x200c || c == 0x200d)
            return last > 0x7f && !isInvisible(last) && !Character.isWhitespace(last);
        // A byte order mark at the start belongs to the file whose content this is.
        if (c == 0xfeff)
            return last < 0;
        if (isSelector(c))
            return isSelected(c);
        if (isTag(c))
            return last == BLACK_FLAG || (isTag(last) && tags < MAX_TAGS);
        return !isInvisible(c) && !(c >= 0xfff9 && c <= 0xfffb);
    }

    /// True if the character before has forms to choose from: emoji have a coloured and a plain one, key caps are
    /// digits with the coloured one, ideographs and signs of mathematics have variants. After a letter a selector shows
    /// nothing and could carry a message.
    private boolean isSelected(int selector) {
        if (Character.isIdeographic(last))
            return true;
        if (selector != TEXT_FORM && selector != COLOURED_FORM)
            return selector == FIRST_FORM && Character.getType(last) == Character.MATH_SYMBOL;
        return last < 0x80 ? at < text.length() && text.charAt(at) == KEY_CAP : Character.isEmoji(last);
    }

    /// True for tag letters, which show nothing; after a black flag they name its region.
    private static boolean isTag(int c) {
        return c >= 0xe0000 && c <= 0xe007f;
    }

    /// Reads the sequence that an ESC begins (ECMA-48).
    private void escape() {
        char kind = at + 1 < text.length() ? text.charAt(at + 1) : 0;
        switch (kind) {
            case '[' -> sequence(at + 2);
            case ']', 'P', 'X', '^', '_' -> string(at + 2);
            default -> {
                int end = within(at + 1, 0x20, 0x2f);
                at = end < text.length() && text.charAt(end) >= 0x30 && text.charAt(end) <= 0x7e ? end + 1 : end;
            }
        }
    }

    /// Reads parameters, intermediate bytes, and one letter.
    private void sequence(int from) {
        int end = within(within(from, 0x30, 0x3f), 0x20, 0x2f);
        at = end < text.length() && text.charAt(end) >= 0x40 && text.charAt(end) <= 0x7e ? end + 1 : end;
    }

    /// Reads a string for the terminal, such as a title or a link, up to its end. Without an end only its introducer
    /// goes. The search ends at any control character, so no character is searched twice.
    private void string(int from) {
        int end = from;
        while (end < text.length() && !isControl(text.charAt(end)) && text.charAt(end) != '\n'
                && text.charAt(end) != '\r')
            end++;
        at = from;
        if (end == text.length())
            return;
        char stop = text.charAt(end);
        if (stop == BEL || stop == STRING_TERMINATOR)
            at = end + 1;
        else if (stop == ESC && end + 1 < text.length() && text.charAt(end + 1) == '\\')
            at = end + 2;
    }

    private int within(int from, int low, int high) {
        int end = from;
        while (end < text.length() && text.charAt(end) >= low && text.charAt(end) <= high)
            end++;
        return end;
    }
}
