package dev.toolfleet.console.web;

import org.jspecify.annotations.Nullable;

/// Text of tools and models, made safe to read: characters that change the direction or cannot be seen are written as
/// their code points. Markup is escaped by the templates. Pure.
public final class VisibleText {
    private VisibleText() {}

    /// Returns the text with such characters written out, as `⟨U+202E⟩`; line breaks and tabs stay. Returns a dash for no
    /// text.
    public static String of(@Nullable String text) {
        if (text == null)
            return "–";
        int first = firstHidden(text, 0);
        if (first < 0)
            return text;
        StringBuilder shown = new StringBuilder(text.length() + 16);
        int from = 0;
        for (int at = first; at >= 0; at = firstHidden(text, from)) {
            int point = text.codePointAt(at);
            shown.append(text, from, at).append(String.format("⟨U+%04X⟩", point));
            from = at + Character.charCount(point);
        }
        return shown.append(text, from, text.length()).toString();
    }

    private static int firstHidden(String text, int from) {
        for (int i = from; i < text.length();) {
            int point = text.codePointAt(i);
            if (isHidden(point) && !isPresentation(text, i, point))
                return i;
            i += Character.charCount(point);
        }
        return -1;
    }

    /// True for the mark that makes a symbol an emoji, or a text, where it follows a symbol.
    private static boolean isPresentation(String text, int at, int point) {
        return (point == 0xfe0e || point == 0xfe0f) && at > 0
                && Character.getType(text.codePointBefore(at)) == Character.OTHER_SYMBOL;
    }

    private static boolean isHidden(int point) {
        if (point == '\n' || point == '\t' || point == '\r')
            return false;
        return switch (Character.getType(point)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE, Character.PRIVATE_USE ->
                true;
            default -> isIgnorable(point);
        };
    }

    /// Characters of other categories that fonts draw as nothing (Unicode, Default_Ignorable_Code_Point).
    private static boolean isIgnorable(int point) {
        return point == 0x34f || point == 0x115f || point == 0x1160 || point == 0x17b4 || point == 0x17b5
                || (point >= 0x180b && point <= 0x180f) || point == 0x3164 || point == 0xffa0
                || (point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0000 && point <= 0xe0fff);
    }
}
