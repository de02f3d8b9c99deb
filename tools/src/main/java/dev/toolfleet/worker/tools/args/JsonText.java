package dev.toolfleet.worker.tools.args;

/// Measures and cuts text by its length in a JSON document in UTF-8, without the quotes around it: escapes make it up
/// to six times as large as its bytes. Pure.
public final class JsonText {
    private static final int ESCAPED = 6;
    private static final int SHORT_ESCAPES = 2;

    private JsonText() {}

    /// Returns the number of bytes that the text takes in JSON.
    public static int size(String text) {
        int size = 0;
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at)))
            size += size(text.codePointAt(at));
        return size;
    }

    /// Returns the longest beginning of the text that takes at most `maxBytes` bytes; it never splits a character.
    public static String cut(String text, int maxBytes) {
        int left = maxBytes;
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            left -= size(text.codePointAt(at));
            if (left < 0)
                return text.substring(0, at);
        }
        return text;
    }

    private static int size(int character) {
        if (character < 0x20)
            return "\b\f\n\r\t".indexOf(character) >= 0 ? SHORT_ESCAPES : ESCAPED;
        if (character == '"' || character == '\\')
            return SHORT_ESCAPES;
        if (character < 0x80)
            return 1;
        if (character < 0x800)
            return 2;
        // Half of a pair can only be written escaped.
        if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE)
            return ESCAPED;
        return Character.isBmpCodePoint(character) ? 3 : 4;
    }
}
