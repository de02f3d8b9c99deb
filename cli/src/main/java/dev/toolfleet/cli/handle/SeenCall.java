package dev.toolfleet.cli.handle;

import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.cli.handle.ResultWatch.CallPlace;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;

/// A call that was found on the fleet's topics.
///
/// @param place where it stands
/// @param call without arguments
/// @param at when it was written
/// @param result its latest one; empty while it has none
record SeenCall(CallPlace place, ToolCall call, Instant at, Optional<ToolResult> result) {

    SeenCall answered(ToolResult newResult) {
        return new SeenCall(place, call, at, Optional.of(newResult));
    }

    boolean hasEnded() {
        return result.filter(ToolResult::isFinal).isPresent();
    }

    /// For a table.
    String state() {
        return result.map(HandleText::status).orElse("no result yet");
    }
}
