package dev.toolfleet.mcp.rpc;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

/// Text in a header of MCP (2026-07-28, Streamable HTTP, Value Encoding): as it is, or `=?base64?…?=` when it has
/// characters that a header cannot carry.
public final class HeaderText {
    private static final String BEGIN = "=?base64?";
    private static final String END = "?=";

    private HeaderText() {}

    /// Returns the header's value for a text.
    public static String encode(String text) {
        if (isPlain(text) && !isEncoded(text))
            return text;
        return BEGIN + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) + END;
    }

    /// Returns the text of a header's value, or null if the value is malformed.
    public static @Nullable String decode(String value) {
        if (!isEncoded(value))
            return isPlain(value) ? value : null;
        try {
            byte[] bytes = Base64.getDecoder().decode(value.substring(BEGIN.length(), value.length() - END.length()));
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return null;
        }
    }

    private static boolean isEncoded(String value) {
        return value.length() >= BEGIN.length() + END.length() && value.startsWith(BEGIN) && value.endsWith(END);
    }

    /// An empty text is none: some servers and proxies drop headers without a value.
    private static boolean isPlain(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c == '\t' || (c >= ' ' && c <= '~'))
                && text.strip().length() == text.length();
    }
}
