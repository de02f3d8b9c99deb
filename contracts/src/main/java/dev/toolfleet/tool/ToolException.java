package dev.toolfleet.tool;

import org.jspecify.annotations.Nullable;

/// A failure with all that a model needs to go on: a code, a message, a suggestion, a help address.
///
/// ```java
/// throw new ToolException("E_NO_SUCH_BUILD", "No build 'b-17'.").suggestion("List the builds first.");
/// ```
///
public final class ToolException extends RuntimeException {
    private final String code;
    private @Nullable String name;
    private @Nullable String suggestion;
    private @Nullable String helpUrl;

    /// Fails with a code of the tool's own, `E_` and upper-case letters by custom.
    public ToolException(String code, String message) {
        super(message);
        this.code = code;
    }

    /// Fails with a code and the cause.
    public ToolException(String code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /// Says what kind of error it is, such as `SlackApiError`: `error.name` of the result.
    public ToolException named(String kind) {
        this.name = kind;
        return this;
    }

    /// Says what the model should do.
    public ToolException suggestion(String text) {
        this.suggestion = text;
        return this;
    }

    /// Says where a person finds more.
    public ToolException helpUrl(String url) {
        this.helpUrl = url;
        return this;
    }

    /// The code.
    public String code() {
        return code;
    }

    /// The kind of error, if the tool said so.
    public @Nullable String name() {
        return name;
    }

    /// What the model should do, if the tool said so.
    public @Nullable String suggestion() {
        return suggestion;
    }

    /// Where a person finds more, if the tool said so.
    public @Nullable String helpUrl() {
        return helpUrl;
    }
}
