package dev.toolfleet.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// Target of a request, path and query as they came.
///
/// **Why.** Parts that cannot be decoded are left out or replaced further on. Otherwise: a list with a broken filter shows
/// what the filter should have hidden, and two paths lead to one name.
///
/// @param query null for none
record RequestTarget(String path, @Nullable String query) {
    private static final int HEX = 16;
    private static final char REPLACEMENT = '\ufffd';

    static RequestTarget of(Context ctx) {
        return new RequestTarget(ctx.req().getRequestURI(), ctx.queryString());
    }

    /// Checks that both are percent-encoded UTF-8.
    ///
    /// @throws ProblemException naming the part that is not
    void check() {
        check("path", path);
        if (query != null)
            check("query", query);
    }

    private static void check(String what, String text) {
        if (!isUtf8(text))
            throw new ProblemException(Problem.of(ProblemType.INVALID_REQUEST, "The " + what
                    + " of the request is not percent-encoded UTF-8: encode each byte of a name as % and two"
                    + " hexadecimal digits, and % itself as %25."));
    }

    private static boolean isUtf8(String text) {
        // The server has put it in the place of bytes that are no UTF-8.
        if (text.indexOf(REPLACEMENT) >= 0)
            return false;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '%') {
                // Others than ASCII are text already, and end what was encoded.
                bytes.write(c < 0x80 ? c : ' ');
                continue;
            }
            if (i + 2 >= text.length() || !isHex(text.charAt(i + 1)) || !isHex(text.charAt(i + 2)))
                return false;
            bytes.write(Integer.parseInt(text, i + 1, i + 3, HEX));
            i += 2;
        }
        try {
            var _ = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray()));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static boolean isHex(char c) {
        return c < 0x80 && Character.digit(c, HEX) >= 0;
    }
}
