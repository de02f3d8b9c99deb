package dev.toolfleet.worker.tools.httpfetch;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;

import dev.toolfleet.worker.tools.args.JsonText;
import org.apache.hc.core5.http.ContentType;
import org.jspecify.annotations.Nullable;

/// Body in a result: text in the charset that the server names; base64 for anything else.
///
/// @param encoding `text` or `base64`
/// @param truncated whether there was more
record Content(String body, String encoding, boolean truncated) {
    private static final Set<String> TEXT_TYPES = Set.of("application/json", "application/xml",
            "application/javascript", "application/x-javascript", "application/ecmascript", "application/yaml",
            "application/x-yaml", "application/x-ndjson", "application/x-www-form-urlencoded", "application/graphql",
            "application/sql", "application/toml");
    private static final char BYTE_ORDER_MARK = '\ufeff';

    /// Reads a body.
    ///
    /// @param more whether there was more than these bytes
    /// @param contentType the server's; null if it names none
    /// @param maxSize bytes of JSON that the body takes at most
    static Content of(byte[] bytes, boolean more, @Nullable String contentType, int maxSize) {
        ContentType type = contentType == null ? null : ContentType.parseLenient(contentType);
        Charset charset = charset(bytes, more, type);
        if (charset == null)
            return base64(bytes, more, maxSize);
        String text = decode(bytes, charset, more, CodingErrorAction.REPLACE);
        String body = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
        String cut = JsonText.cut(body, maxSize);
        return new Content(cut, "text", more || cut.length() < body.length());
    }

    private static Content base64(byte[] bytes, boolean more, int maxSize) {
        int length = Math.min(bytes.length, maxSize / 4 * 3);
        byte[] kept = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
        return new Content(Base64.getEncoder().encodeToString(kept), "base64", more || length < bytes.length);
    }

    /// Returns the charset of a text; null if the bytes are no text.
    private static @Nullable Charset charset(byte[] bytes, boolean more, @Nullable ContentType type) {
        if (startsWith(bytes, 0xFE, 0xFF) || startsWith(bytes, 0xFF, 0xFE))
            return StandardCharsets.UTF_16;
        if (type != null && type.getCharset() != null)
            return type.getCharset();
        if (type != null && isText(type.getMimeType()))
            return StandardCharsets.UTF_8;
        return looksLikeText(bytes, more) ? StandardCharsets.UTF_8 : null;
    }

    private static boolean isText(@Nullable String mimeType) {
        String type = mimeType == null ? "" : mimeType.toLowerCase(Locale.ROOT);
        return type.startsWith("text/") || type.endsWith("+json") || type.endsWith("+xml")
                || TEXT_TYPES.contains(type);
    }

    private static boolean looksLikeText(byte[] bytes, boolean more) {
        for (byte b : bytes)
            if (b == 0)
                return false;
        try {
            decoded(bytes, StandardCharsets.UTF_8, more, CodingErrorAction.REPORT);
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static boolean startsWith(byte[] bytes, int first, int second) {
        return bytes.length >= 2 && (bytes[0] & 0xFF) == first && (bytes[1] & 0xFF) == second;
    }

    private static String decode(byte[] bytes, Charset charset, boolean more, CodingErrorAction onError) {
        try {
            return decoded(bytes, charset, more, onError);
        } catch (CharacterCodingException e) {
            throw new IllegalStateException("A decoder that replaces reported", e);
        }
    }

    /// Leaves out a last character that arrived only in part, if there is more.
    private static String decoded(byte[] bytes, Charset charset, boolean more, CodingErrorAction onError)
            throws CharacterCodingException {
        CharsetDecoder decoder = charset.newDecoder().onMalformedInput(onError).onUnmappableCharacter(onError);
        CharBuffer chars = CharBuffer.allocate((int) Math.ceil(bytes.length * (double) decoder.maxCharsPerByte()) + 1);
        CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), chars, !more);
        if (result.isError())
            result.throwException();
        if (!more)
            decoder.flush(chars);
        return chars.flip().toString();
    }
}
