package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

/// Outcome of decoding a record on `tool.completion`.
public sealed interface DecodedCompletion {
    /// A completion.
    record Valid(Completion completion) implements DecodedCompletion {}

    /// Not a completion.
    ///
    /// @param reason the problem, with field and value
    /// @param handle of the work, when it could be read
    record Malformed(String reason, @Nullable String handle) implements DecodedCompletion {}
}
