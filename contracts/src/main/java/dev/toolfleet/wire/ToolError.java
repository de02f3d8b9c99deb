package dev.toolfleet.wire;

import dev.toolfleet.error.ErrorCode;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Reason of a call's failure, written for the model that reads it.
///
/// @param code an [ErrorCode] or a code of the tool's own
/// @param name the kind of error, such as `ToolTimeoutError`
/// @param message the event that failed the call
/// @param suggestion advice for the model
/// @param helpUrl the page with more for people
public record ToolError(String code, @Nullable String name, String message, @Nullable String suggestion,
        @Nullable String helpUrl) {

    /// Checks that code and message are present.
    public ToolError {
        requireNonNull(code, "code");
        requireNonNull(message, "message");
    }

    /// Makes an error with the code's own name and suggestion.
    public static ToolError of(ErrorCode code, String message) {
        return new ToolError(code.name(), code.errorName(), message, code.suggestion(), null);
    }

    /// Returns the same error with another suggestion.
    public ToolError suggesting(String newSuggestion) {
        return new ToolError(code, name, message, newSuggestion, helpUrl);
    }

    /// Returns the same error with another message.
    public ToolError saying(String newMessage) {
        return new ToolError(code, name, newMessage, suggestion, helpUrl);
    }

    /// Returns the same error with a help address.
    public ToolError helpAt(@Nullable String url) {
        return new ToolError(code, name, message, suggestion, url);
    }
}
