package dev.toolfleet.client;

import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;

/// State of a handle, from the fleet's topics.
public sealed interface HandleState {
    /// The handle.
    String handle();

    /// No call with this handle is pending, and none has ended recently. Either its call has no pending result yet, or
    /// the handle ended longer ago than `tool.pending` keeps (about a week), or it never existed.
    record Unknown(String handle) implements HandleState {}

    /// A call waits for it.
    ///
    /// @param call the call and its time limits
    /// @param progress the last report of the work within a day
    record Open(PendingCall call, Optional<ToolProgress> progress) implements HandleState {
        @Override
        public String handle() {
            return call.handle();
        }

        /// Returns the time of the last report: of the progress, else of the beginning.
        public Instant heardAt() {
            return progress.map(ToolProgress::at).orElse(call.createdAt());
        }
    }

    /// Its call has ended.
    ///
    /// @param call the call that waited
    /// @param endedAt the time at which the fleet recorded it
    /// @param result the final result; empty while it is under way, and when `tool.result` no longer holds it
    record Ended(PendingCall call, Instant endedAt, Optional<ToolResult> result) implements HandleState {
        @Override
        public String handle() {
            return call.handle();
        }
    }
}
