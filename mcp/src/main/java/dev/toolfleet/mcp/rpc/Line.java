package dev.toolfleet.mcp.rpc;

import org.jspecify.annotations.Nullable;

/// Line of a stream of messages.
public sealed interface Line {
    /// A line within the limit, without its end.
    @SuppressWarnings("ArrayRecordComponent")
    record Whole(byte[] bytes) implements Line {}

    /// A line above the limit; none of it was kept.
    ///
    /// @param id the id of the message in it; null if there is none to be found
    /// @param bytes the length of the line
    record TooLong(@Nullable RpcId id, long bytes) implements Line {}
}
