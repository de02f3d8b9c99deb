package dev.toolfleet.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;

import tools.jackson.databind.JsonNode;

/// Writer of [CanonicalJson] piece by piece, kept as UTF-8 for digests. Each call of a worker is written here four times,
/// so nothing is copied on the way, and a later text is written into the memory of an earlier one. [#sha256], [#digest]
/// and [#text] end a text: nothing of it is left. Not thread-safe.
public final class CanonicalText {
    private static final HexFormat HEX = HexFormat.of();
    /// The length of the longest escaped character.
    private static final int LONGEST = 6;

    private static final byte[] ENDED = new byte[0];
    /// The largest memory that is kept for a later text.
    private static final int MOST_KEPT = 16 << 10;
    /// Memory that no text uses at the moment; a power of two. The texts of a call would be a fourteenth of its memory.
    private static final AtomicReferenceArray<byte[]> IDLE = new AtomicReferenceArray<>(16);

    private byte[] bytes;
    private int length;

    /// Makes an empty text.
    ///
    /// @param expected its approximate size in bytes
    public CanonicalText(int expected) {
        // The thread that takes the memory out is its only user until it puts it back.
        byte[] idle = IDLE.getAndSet(place(), null);
        bytes = idle == null ? new byte[expected] : idle;
    }

    private static int place() {
        return (int) Thread.currentThread().threadId() & (IDLE.length() - 1);
    }

    /// Appends text that is already JSON.
    ///
    /// @param ascii of characters below 128
    public CanonicalText raw(String ascii) {
        reserve(ascii.length());
        for (int i = 0; i < ascii.length(); i++)
            bytes[length++] = (byte) ascii.charAt(i);
        return this;
    }

    /// Appends a value.
    ///
    /// @throws IllegalArgumentException when a number is NaN or infinite, or a node is not JSON
    public CanonicalText value(JsonNode node) {
        switch (node.getNodeType()) {
            case OBJECT -> object(node);
            case ARRAY -> array(node);
            case STRING -> string(node.stringValue());
            case NUMBER -> number(node);
            case BOOLEAN -> raw(node.booleanValue() ? "true" : "false");
            case NULL, MISSING -> raw("null");
            case BINARY, POJO -> throw new IllegalArgumentException("not JSON: a node of type " + node.getNodeType());
        }
        return this;
    }

    /// Appends a string.
    public CanonicalText string(String text) {
        int end = text.length();
        // Room for the rest and its quotes while each character takes a byte, which is true for nearly all.
        reserve(end + 2);
        bytes[length++] = '"';
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
                bytes[length++] = (byte) c;
            } else {
                reserve(LONGEST + end - i + 1);
                i = special(text, i);
            }
        }
        bytes[length++] = '"';
        return this;
    }

    /// Returns `sha256:` and 64 hexadecimal digits, of the bytes. Ends the text.
    public String sha256() {
        return Digests.of(digest());
    }

    /// Returns the SHA-256 of the bytes, 32 bytes. Ends the text.
    public byte[] digest() {
        byte[] digest = Digests.digest(bytes, length);
        end();
        return digest;
    }

    /// Returns the text, and ends it.
    public String text() {
        String text = toString();
        end();
        return text;
    }

    private void end() {
        if (bytes.length > 0 && bytes.length <= MOST_KEPT)
            IDLE.lazySet(place(), bytes);
        bytes = ENDED;
        length = 0;
    }

    /// The text so far.
    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private void object(JsonNode node) {
        String[] keys = new String[node.size()];
        int count = 0;
        for (Map.Entry<String, JsonNode> property : node.properties())
            keys[count++] = property.getKey();
        if (count > 1)
            Arrays.sort(keys);
        raw("{");
        for (int i = 0; i < keys.length; i++) {
            if (i > 0)
                raw(",");
            string(keys[i]);
            raw(":");
            value(node.path(keys[i]));
        }
        raw("}");
    }

    private void array(JsonNode node) {
        raw("[");
        for (int i = 0; i < node.size(); i++) {
            if (i > 0)
                raw(",");
            value(node.path(i));
        }
        raw("]");
    }

    private void number(JsonNode node) {
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            raw(Long.toString(node.longValue()));
        } else if (node.isIntegralNumber()) {
            raw(node.bigIntegerValue().toString());
        } else {
            raw(EcmaNumbers.text(node.doubleValue()));
        }
    }

    /// Appends a character that needs more than one byte or an escape; returns the index of its last unit.
    private int special(String text, int i) {
        char c = text.charAt(i);
        switch (c) {
            case '"' -> raw("\\\"");
            case '\\' -> raw("\\\\");
            case '\b' -> raw("\\b");
            case '\t' -> raw("\\t");
            case '\n' -> raw("\\n");
            case '\f' -> raw("\\f");
            case '\r' -> raw("\\r");
            default -> {
                if (c >= 0x20 && !Character.isSurrogate(c))
                    return encoded(c, i);
                if (Character.isHighSurrogate(c) && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1)))
                    return encoded(Character.toCodePoint(c, text.charAt(i + 1)), i + 1);
                // A lone surrogate has no UTF-8 form; escaped, it stays distinguishable.
                raw("\\u").raw(HEX.toHexDigits(c));
            }
        }
        return i;
    }

    private int encoded(int codePoint, int last) {
        if (codePoint < 0x800) {
            bytes[length++] = (byte) (0xc0 | (codePoint >> 6));
        } else {
            if (codePoint < 0x10000) {
                bytes[length++] = (byte) (0xe0 | (codePoint >> 12));
            } else {
                bytes[length++] = (byte) (0xf0 | (codePoint >> 18));
                bytes[length++] = (byte) (0x80 | ((codePoint >> 12) & 0x3f));
            }
            bytes[length++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
        }
        bytes[length++] = (byte) (0x80 | (codePoint & 0x3f));
        return last;
    }

    private void reserve(int more) {
        if (bytes.length - length < more)
            bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length + (bytes.length >> 1)));
    }
}
