package dev.toolfleet.tool;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import dev.toolfleet.json.Digests;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// File, or other content, on which a call depends beside its arguments. An approval of the call is bound to its
/// digest, and the approver is shown its text.
///
/// @param name its name in the arguments
/// @param size in bytes
/// @param digest SHA-256 of the content, as `sha256:` and 64 hexadecimal digits
/// @param text the content, if it is UTF-8 and not longer than [#MAX_TEXT]; null otherwise
public record Operand(String name, long size, String digest, @Nullable String text) {
    /// The longest text that a person is shown, in UTF-16 units.
    public static final int MAX_TEXT = 32_000;

    /// Checks that the operand is named.
    public Operand {
        requireNonNull(name, "name");
        requireNonNull(digest, "digest");
    }

    /// Makes an operand with this content.
    public static Operand of(String name, byte[] content) {
        return new Operand(name, content.length, Digests.sha256(content), text(content));
    }

    private static @Nullable String text(byte[] content) {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
            return text.length() <= MAX_TEXT ? text : null;
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
