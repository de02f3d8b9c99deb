package dev.toolfleet.client;

import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;

/// What the fleet's topics say of a handle.
public sealed interface HandleState {
    /// The handle.
    String handle();

    /// No call with this handle is pending, and none has ended lately: its call has not come to its pending result yet,
    /// or the handle ended longer ago than `tool.pending` remembers (about a week), or it never was one.
    record Unknown(String handle) implements HandleState {}

    /// A call waits for it.
    ///
    /// @param call the call and how long it may take
    /// @param progress the last that was heard of the work within a day
    record Open(PendingCall call, Optional<ToolProgress> progress) implements HandleState {
        @Override
        public String handle() {
            return call.handle();
        }

        /// When something was last heard of the work: its progress, else its beginning.
        public Instant heardAt() {
            return progress.map(ToolProgress::at).orElse(call.createdAt());
        }
    }

    /// Its call has ended.
    ///
    /// @param call the call that waited
    /// @param endedAt when the fleet took note of it
    /// @param result the final result; empty while it is under way, and when `tool.result` no longer holds it
    record Ended(PendingCall call, Instant endedAt, Optional<ToolResult> result) implements HandleState {
        @Override
        public String handle() {
            return call.handle();
        }
    }
}
