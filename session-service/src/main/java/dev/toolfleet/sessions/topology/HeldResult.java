package dev.toolfleet.sessions.topology;

import java.time.Instant;

import dev.toolfleet.wire.ToolResult;

/// Result that waits for the message with its call.
///
/// @param identity the call's identity
/// @param result the result
/// @param since the time of its arrival
record HeldResult(String identity, ToolResult result, Instant since) {}
