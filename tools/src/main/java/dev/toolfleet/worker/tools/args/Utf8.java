package dev.toolfleet.worker.tools.args;

import java.nio.charset.StandardCharsets;

/// Cuts UTF-8 without splitting a character. Pure.
public final class Utf8 {
    private static final int MAX_CONTINUATIONS = 3;

    private Utf8() {}

    /// Returns the text in the first bytes. A character that they hold only in part is left out, and bytes that are
    /// not UTF-8 become U+FFFD.
    ///
    /// @param length number of bytes that count
    public static String cut(byte[] bytes, int length) {
        return new String(bytes, 0, boundary(bytes, length), StandardCharsets.UTF_8);
    }

    private static int boundary(byte[] bytes, int length) {
        int lead = length - 1;
        while (lead >= 0 && length - 1 - lead < MAX_CONTINUATIONS && isContinuation(bytes[lead]))
            lead--;
        if (lead < 0)
            return length;
        return lead + sequenceLength(bytes[lead]) > length ? lead : length;
    }

    private static boolean isContinuation(byte b) {
        return (b & 0xC0) == 0x80;
    }

    private static int sequenceLength(byte lead) {
        if ((lead & 0xE0) == 0xC0)
            return 2;
        if ((lead & 0xF0) == 0xE0)
            return 3;
        if ((lead & 0xF8) == 0xF0)
            return 4;
        return 1;
    }
}
