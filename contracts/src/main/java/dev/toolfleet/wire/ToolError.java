package dev.toolfleet.wire;

import dev.toolfleet.error.ErrorCode;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Why a call failed, written for the model that reads it.
///
/// @param code an [ErrorCode] or a code of the tool's own
/// @param name the kind of error, such as `ToolTimeoutError`
/// @param message what happened
/// @param suggestion what the model should do about it
/// @param helpUrl where a person finds more
public record ToolError(String code, @Nullable String name, String message, @Nullable String suggestion,
        @Nullable String helpUrl) {

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
}
