package dev.toolfleet.json;

import java.util.HexFormat;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Text of strangers in a form that a person can judge. Each character that a reader does not see, and that a terminal,
/// a shell or a model may obey, becomes an escape: a backslash, `u` and four hexadecimal digits. Nothing is removed.
///
/// **Contract.** [#read] returns exactly the text that [#of] was given, so no two texts are shown alike. For that, a
/// backslash that would begin such an escape by itself is escaped too.
///
/// Escaped are control characters other than tab and line ends, a carriage return without a line feed, format
/// characters (among them marks of direction), line and paragraph separators, blanks other than the space, letters and
/// marks without a shape, private use and unassigned characters, and halves of surrogate pairs. Pure.
public final class ShownText {
    private static final int ESCAPE = 6;
    private static final HexFormat HEX = HexFormat.of();

    private ShownText() {}

    /// Returns the text with escapes; the same object when all of it can be seen.
    public static String of(String text) {
        int at = 0;
        while (at < text.length() && isSeen(text, at))
            at += Character.charCount(text.codePointAt(at));
        return at == text.length() ? text : escaped(text, at);
    }

    /// Returns the text that [#of] was given.
    public static String read(String shown) {
        int at = nextEscape(shown, 0);
        if (at < 0)
            return shown;
        StringBuilder text = new StringBuilder(shown.length());
        int from = 0;
        while (at >= 0) {
            text.append(shown, from, at).append((char) HexFormat.fromHexDigits(shown, at + 2, at + ESCAPE));
            from = at + ESCAPE;
            at = nextEscape(shown, from);
        }
        return text.append(shown, from, shown.length()).toString();
    }

    /// Returns the JSON whose texts and names [#of] was given.
    public static JsonNode read(JsonNode shown) {
        return switch (shown) {
            case ObjectNode object -> {
                ObjectNode read = JsonNodeFactory.instance.objectNode();
                object.properties().forEach(field -> read.set(read(field.getKey()), read(field.getValue())));
                yield read;
            }
            case ArrayNode array -> {
                ArrayNode read = JsonNodeFactory.instance.arrayNode();
                array.forEach(each -> read.add(read(each)));
                yield read;
            }
            default -> shown.isString() ? JsonNodeFactory.instance.stringNode(read(shown.stringValue())) : shown;
        };
    }

    /// True for a character that shows nothing, or that moves and changes others. Line ends are among them.
    public static boolean isHidden(int c) {
        if (c >= 0x20 && c < 0x7f)
            return false;
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR, Character.SPACE_SEPARATOR, Character.UNASSIGNED,
                    Character.PRIVATE_USE ->
                true;
            default -> isShapeless(c);
        };
    }

    /// True for letters and marks that Unicode lets a reader leave out (Default_Ignorable_Code_Point), and for letters
    /// that look like blanks.
    private static boolean isShapeless(int c) {
        return c == 0x34f || c == 0x115f || c == 0x1160 || c == 0x17b4 || c == 0x17b5 || (c >= 0x180b && c <= 0x180f)
                || c == 0x2800 || c == 0x3164 || (c >= 0xfe00 && c <= 0xfe0f) || c == 0xffa0
                || (c >= 0xe0000 && c <= 0xe0fff);
    }

    private static boolean isSeen(String text, int at) {
        int c = text.codePointAt(at);
        if (c == '\\')
            return !isEscape(text, at);
        if (c == '\t' || c == '\n')
            return true;
        // Without a line feed it lets a terminal overwrite earlier text.
        if (c == '\r')
            return at + 1 < text.length() && text.charAt(at + 1) == '\n';
        return !isHidden(c);
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
                    out.append("\\u").append(HEX.toHexDigits(text.charAt(i)));
            at = next;
        }
        return out.toString();
    }

    private static int nextEscape(String text, int from) {
        int at = text.indexOf('\\', from);
        while (at >= 0 && !isEscape(text, at))
            at = text.indexOf('\\', at + 1);
        return at;
    }

    private static boolean isEscape(String text, int at) {
        if (at + ESCAPE > text.length() || text.charAt(at) != '\\' || text.charAt(at + 1) != 'u')
            return false;
        for (int i = at + 2; i < at + ESCAPE; i++) {
            if (!HexFormat.isHexDigit(text.charAt(i)))
                return false;
        }
        return true;
    }
}
