package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

/// Outcome of decoding a record on `tool.call`.
public sealed interface DecodedCall {
    /// A tool call.
    record Valid(ToolCall call) implements DecodedCall {}

    /// Not a tool call.
    ///
    /// @param reason the problem, with field and value
    /// @param caller the receiver of the error, when id and instance could be read; its other fields hold the readable
    ///        parts
    record Malformed(String reason, @Nullable ToolCall caller) implements DecodedCall {}
}
