package dev.toolfleet.wire;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.error.ErrorText;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Why a call failed, written for the model that reads it.
///
/// @param code
///            an [ErrorCode] or a code of the tool's own
/// @param name
///            the kind of error, such as `ToolTimeoutError`
/// @param message
///            what happened
/// @param suggestion
///            what the model should do about it
/// @param helpUrl
///            where a person finds more
public record ToolError(String code, @Nullable String name, String message, @Nullable String suggestion,
        @Nullable String helpUrl) {

    private static final int MAX_NAME = 200;
    private static final int MAX_SUGGESTION = 4000;
    /// Checks that the error says what happened.
    public ToolError {
        requireNonNull(code, "code");
        requireNonNull(message, "message");
    }

    /// An error with the code's own name and suggestion.
    public static ToolError of(ErrorCode code, String message) {
        return new ToolError(code.name(), code.errorName(), message, code.suggestion(), null);
    }

    /// The same error with another suggestion.
    public ToolError suggesting(String newSuggestion) {
        return new ToolError(code, name, message, newSuggestion, helpUrl);
    }

    /// The same error with another message.
    public ToolError saying(String newMessage) {
        return new ToolError(code, name, newMessage, suggestion, helpUrl);
    }

    /// The same error with a help address.
    public ToolError helpAt(@Nullable String url) {
        return new ToolError(code, name, message, suggestion, url);
    }

    /// The same error as it may be published: the message cut to `messageLimit` UTF-16 units and the other texts to what
    /// people and models read, all of them with a UTF-8 form. A handler's error could otherwise outgrow its record.
    public ToolError bounded(int messageLimit) {
        return new ToolError(ErrorText.wellFormed(ErrorText.limit(code, MAX_NAME)), bounded(name, MAX_NAME),
                ErrorText.wellFormed(ErrorText.limit(message, messageLimit)), bounded(suggestion, MAX_SUGGESTION),
                bounded(helpUrl, MAX_SUGGESTION));
    }

    private static @Nullable String bounded(@Nullable String text, int limit) {
        return text == null ? null : ErrorText.wellFormed(ErrorText.limit(text, limit));
    }
}
