package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

/// What a record on `tool.completion` turned out to be.
public sealed interface DecodedCompletion {
    /// A completion.
    record Valid(Completion completion) implements DecodedCompletion {}

    /// Not a completion.
    ///
    /// @param reason what is wrong, naming field and value
    /// @param handle of which work, when that could be read
    record Malformed(String reason, @Nullable String handle) implements DecodedCompletion {}
}
