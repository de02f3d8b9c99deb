package dev.toolfleet.worker.record;

import java.nio.charset.StandardCharsets;

import dev.toolfleet.error.ErrorText;
import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;

/// An error as it may be published: with texts that are bounded, so that it fits into a record whatever their author, and
/// that have a UTF-8 form. Pure.
final class PublishableError {
    /// The longest message, whatever a Tool's `errorMessageLimit`.
    static final int MAX_MESSAGE = 50_000;
    private static final int MAX_NAME = 200;
    private static final int MAX_SUGGESTION = 4_000;
    private static final int MAX_URL = 2_000;

    private PublishableError() {}

    /// @param messageLimit UTF-16 units of the message
    static ToolError of(ToolError error, int messageLimit) {
        return new ToolError(text(error.code(), MAX_NAME), optional(error.name(), MAX_NAME),
                text(error.message(), Math.min(messageLimit, MAX_MESSAGE)),
                optional(error.suggestion(), MAX_SUGGESTION), optional(error.helpUrl(), MAX_URL));
    }

    private static @Nullable String optional(@Nullable String text, int limit) {
        return text == null ? null : text(text, limit);
    }

    /// Half a surrogate pair becomes a question mark.
    private static String text(String text, int limit) {
        return new String(ErrorText.limit(text, limit).getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
