package dev.toolfleet.worker.tools.messaging;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Secret with which a tool proves to be its bot. It appears nowhere: not as a text, not in an error, not in a result.
public final class Token {
    private static final Pattern FORM = Pattern.compile("[!-~]+");
    private static final String HIDDEN = "[REDACTED]";

    private final String value;

    private Token(String value) {
        this.value = value;
    }

    /// Reads a token; blanks around it, such as the end of a file's line, do not count.
    ///
    /// @throws IllegalArgumentException when no token looks like that; it does not show the text
    static Token of(String text) {
        String value = text.strip();
        if (!FORM.matcher(value).matches())
            throw new IllegalArgumentException("it has characters that no token has, or none");
        return new Token(value);
    }

    /// The secret itself, for the request.
    public String value() {
        return value;
    }

    /// The text without the token in it, as it is or as it stands in a URL.
    public String hide(String text) {
        return text.replace(value, HIDDEN).replace(URLEncoder.encode(value, StandardCharsets.UTF_8), HIDDEN);
    }

    /// Without the value.
    @Override
    public String toString() {
        return HIDDEN;
    }
}
