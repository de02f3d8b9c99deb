package dev.toolfleet.worker.guard;

import tools.jackson.databind.JsonNode;

/// Length of a tree as JSON, in characters and in bytes. Pure.
final class JsonSize {
    private JsonSize() {}

    /// Returns the number of characters (UTF-16 units).
    static long of(JsonNode node) {
        return switch (node.getNodeType()) {
            case STRING -> 2 + text(node.stringValue());
            case ARRAY -> {
                long size = 2L + Math.max(0, node.size() - 1);
                for (JsonNode child : node)
                    size += of(child);
                yield size;
            }
            case OBJECT -> {
                long size = 2L + Math.max(0, node.size() - 1);
                for (var entry : node.properties())
                    size += 3 + text(entry.getKey()) + of(entry.getValue());
                yield size;
            }
            case BOOLEAN -> node.booleanValue() ? 4 : 5;
            case NULL -> 4;
            case MISSING -> 0;
            case NUMBER -> node.isIntegralNumber() && node.canConvertToLong()
                    ? digits(node.longValue())
                    : node.toString().length();
            case BINARY, POJO -> node.toString().length();
        };
    }

    /// Returns the number of characters that `Long.toString` writes.
    private static int digits(long number) {
        int digits = number < 0 ? 2 : 1;
        for (long rest = number / 10; rest != 0; rest /= 10)
            digits++;
        return digits;
    }

    /// Returns the number of bytes beyond one for each character.
    static long moreBytes(JsonNode node) {
        return switch (node.getNodeType()) {
            case STRING -> moreBytes(node.stringValue());
            case ARRAY -> {
                long more = 0;
                for (JsonNode child : node)
                    more += moreBytes(child);
                yield more;
            }
            case OBJECT -> {
                long more = 0;
                for (var entry : node.properties())
                    more += moreBytes(entry.getKey()) + moreBytes(entry.getValue());
                yield more;
            }
            case BOOLEAN, NULL, MISSING, NUMBER, BINARY, POJO -> 0;
        };
    }

    private static long moreBytes(String text) {
        long more = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // A pair has four bytes for two characters.
            if (c >= 0x80)
                more += c >= 0x800 && !Character.isSurrogate(c) ? 2 : 1;
        }
        return more;
    }

    /// Returns the length of a text without its quotes.
    static long text(String text) {
        long size = 0;
        for (int i = 0; i < text.length(); i++)
            size += of(text.charAt(i));
        return size;
    }

    static int of(char c) {
        if (c >= 0x20)
            return c == '"' || c == '\\' ? 2 : 1;
        return c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f' ? 2 : 6;
    }
}
