package dev.toolfleet.json;

import java.util.Arrays;
import java.util.Map;

import tools.jackson.databind.JsonNode;

/// JSON in one form only, so that equal values have equal text (RFC 8785: no white space, keys sorted by UTF-16 code
/// units, numbers as ECMAScript prints them).
///
/// One deviation, on purpose: a number written as a whole number keeps all its digits, even beyond 2^53. RFC 8785 would
/// round it to a double, and two calls with different arguments would then look the same (decision 0001).
public final class CanonicalJson {
    private CanonicalJson() {}

    /// The canonical text of `node`.
    ///
    /// @throws IllegalArgumentException when a number is NaN or infinite, or a node is not JSON
    public static String of(JsonNode node) {
        StringBuilder out = new StringBuilder(128);
        write(node, out);
        return out.toString();
    }

    private static void write(JsonNode node, StringBuilder out) {
        switch (node.getNodeType()) {
            case OBJECT -> writeObject(node, out);
            case ARRAY -> writeArray(node, out);
            case STRING -> writeString(node.stringValue(), out);
            case NUMBER -> writeNumber(node, out);
            case BOOLEAN -> out.append(node.booleanValue());
            case NULL, MISSING -> out.append("null");
            case BINARY, POJO -> throw new IllegalArgumentException("not JSON: a node of type " + node.getNodeType());
        }
    }

    /// The same, after what a text has already.
    ///
    /// @throws IllegalArgumentException as [#of]
    public static void append(JsonNode node, StringBuilder out) {
        write(node, out);
    }

    /// The canonical text of a JSON string, after what a text has already.
    public static void append(String text, StringBuilder out) {
        writeString(text, out);
    }

    private static void writeObject(JsonNode node, StringBuilder out) {
        String[] keys = new String[node.size()];
        int count = 0;
        for (Map.Entry<String, JsonNode> property : node.properties())
            keys[count++] = property.getKey();
        if (count > 1)
            Arrays.sort(keys);
        out.append('{');
        for (int i = 0; i < keys.length; i++) {
            if (i > 0)
                out.append(',');
            writeString(keys[i], out);
            out.append(':');
            write(node.path(keys[i]), out);
        }
        out.append('}');
    }

    private static void writeArray(JsonNode node, StringBuilder out) {
        out.append('[');
        for (int i = 0; i < node.size(); i++) {
            if (i > 0)
                out.append(',');
            write(node.path(i), out);
        }
        out.append(']');
    }

    private static void writeNumber(JsonNode node, StringBuilder out) {
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            out.append(node.longValue());
        } else if (node.isIntegralNumber()) {
            out.append(node.bigIntegerValue());
        } else {
            out.append(EcmaNumbers.text(node.doubleValue()));
        }
    }

    private static void writeString(String text, StringBuilder out) {
        out.append('"');
        int plain = plain(text);
        out.append(text, 0, plain);
        for (int i = plain; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\f' -> out.append("\\f");
                case '\r' -> out.append("\\r");
                default -> {
                    // A lone surrogate has no UTF-8 form; escaped, it stays distinguishable.
                    if (c < 0x20 || isLoneSurrogate(text, i)) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /// How many characters of the beginning stand for themselves: nearly always all, which are then copied at once.
    private static int plain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c == '"' || c == '\\' || Character.isSurrogate(c))
                return i;
        }
        return text.length();
    }

    private static boolean isLoneSurrogate(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c))
            return i + 1 >= text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }
}
