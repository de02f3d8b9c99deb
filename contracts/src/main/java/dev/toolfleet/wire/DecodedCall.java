package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

/// What a record on `tool.call` turned out to be.
public sealed interface DecodedCall {
    /// A tool call.
    record Valid(ToolCall call) implements DecodedCall {}

    /// Not a tool call.
    ///
    /// @param reason what is wrong, naming field and value
    /// @param caller whom to tell, when id and instance could be read; its other fields are whatever was readable
    record Malformed(String reason, @Nullable ToolCall caller) implements DecodedCall {}
}
