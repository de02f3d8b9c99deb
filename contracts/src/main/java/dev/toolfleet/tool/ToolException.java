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

    /// Makes a failure with a code of the tool's own, `E_` and upper-case letters by custom.
    public ToolException(String code, String message) {
        super(message);
        this.code = code;
    }

    /// Makes a failure with a code and the cause.
    public ToolException(String code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /// Sets the kind of error, such as `SlackApiError`: `error.name` of the result.
    public ToolException named(String kind) {
        this.name = kind;
        return this;
    }

    /// Sets the advice for the model.
    public ToolException suggestion(String text) {
        this.suggestion = text;
        return this;
    }

    /// Sets the page with more for people.
    public ToolException helpUrl(String url) {
        this.helpUrl = url;
        return this;
    }

    /// Returns the code.
    public String code() {
        return code;
    }

    /// Returns the kind of error, if the tool set one.
    public @Nullable String name() {
        return name;
    }

    /// Returns the advice for the model, if the tool set one.
    public @Nullable String suggestion() {
        return suggestion;
    }

    /// Returns the page with more for people, if the tool set one.
    public @Nullable String helpUrl() {
        return helpUrl;
    }
}
