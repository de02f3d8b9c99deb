package dev.toolfleet.cli.table;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.json.ShownText;

/// Width of texts in columns of a terminal, and texts cut to fit.
public final class TextWidth {
    private static final String CUT = "…";

    private TextWidth() {}

    /// The columns that `text` takes: two for East Asian wide letters and emoji, none for combining marks.
    public static int of(String text) {
        return text.codePoints().map(TextWidth::of).sum();
    }

    /// `text` on one line: line breaks become `⏎`, other control characters vanish.
    public static String oneLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.replace("\r\n", "\n").codePoints().forEach(c -> {
            if (c == '\n' || c == '\r')
                line.append('⏎');
            else if (c == '\t')
                line.append(' ');
            else if (!Character.isISOControl(c))
                line.appendCodePoint(c);
        });
        return line.toString();
    }

    /// `text` with nothing in it that a terminal hides or obeys ([ShownText#isHidden]): controls, marks that change the
    /// direction of writing and letters without width become escapes such as `\\u202e`. For names and the like; what a
    /// person decides by is written by [ShownJson#pretty], which can be read back.
    public static String visible(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (ShownText.isHidden(c))
                shown.append(c > 0xFFFF ? "\\u{%x}".formatted(c) : "\\u%04x".formatted(c));
            else
                shown.appendCodePoint(c);
        });
        return shown.toString();
    }

    /// `text` in at most `width` columns; what is cut off leaves a `…`.
    public static String cut(String text, int width) {
        if (of(text) <= width)
            return text;
        if (width < 1)
            return "";
        StringBuilder kept = new StringBuilder();
        int used = 0;
        for (int c : text.codePoints().toArray()) {
            if (used + of(c) > width - 1)
                break;
            kept.appendCodePoint(c);
            used += of(c);
        }
        return kept + CUT;
    }

    /// Breaks text at blanks into at most `max` lines of `width` columns. What is left after the last line is cut.
    public static List<String> wrap(String text, int width, int max) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (of(rest) > width && lines.size() < max - 1) {
            String head = cut(rest, width + 1);
            int end = head.substring(0, head.length() - 1).lastIndexOf(' ');
            int cut = end > width / 3 ? end : head.length() - 1;
            lines.add(rest.substring(0, cut).stripTrailing());
            rest = rest.substring(cut).stripLeading();
        }
        lines.add(cut(rest, width));
        return lines;
    }

    /// `text` in exactly `width` columns, its end filled with blanks.
    public static String left(String text, int width) {
        String fitting = cut(text, width);
        return fitting + " ".repeat(Math.max(0, width - of(fitting)));
    }

    /// `text` in exactly `width` columns, its beginning filled with blanks.
    public static String right(String text, int width) {
        String fitting = cut(text, width);
        return " ".repeat(Math.max(0, width - of(fitting))) + fitting;
    }

    private static int of(int codePoint) {
        int type = Character.getType(codePoint);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK || type == Character.FORMAT)
            return 0;
        return isWide(codePoint) ? 2 : 1;
    }

    private static boolean isWide(int c) {
        return c >= 0x1100 && (c <= 0x115F || (c >= 0x2E80 && c <= 0xA4CF && c != 0x303F)
                || (c >= 0xAC00 && c <= 0xD7A3)
                || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60)
                || (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD));
    }
}
