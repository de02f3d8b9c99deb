package dev.toolfleet.worker.completion;

import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;

/// What has to happen beside a change of a handle's state.
sealed interface Effect {
    /// The call has its outcome, which the owner of its partition publishes. One per call.
    ///
    /// @param call without arguments
    record Outcome(PendingCall call, Completion outcome, Ending how) implements Effect {}

    /// `tool.pending` hears that the handle is closed.
    record Tombstone() implements Effect {}

    /// `tool.pending` gets the call again that holds the handle, since another stands there now.
    ///
    /// @param holder without arguments
    record WriteAgain(PendingCall holder) implements Effect {}

    /// Whoever watches the call sees how far it is.
    ///
    /// @param call without arguments
    record Show(PendingCall call, Progress progress) implements Effect {
        Show saying(Progress other) {
            return new Show(call, other);
        }
    }

    /// The record changes nothing, and is kept for people.
    record Letter(Raw raw, Refusal why) implements Effect {}

    /// The module is asked how the work goes.
    record Ask(CallPlace call) implements Effect {}

    /// The module is told that nobody wants the work.
    record Tell(CallPlace call) implements Effect {}
}
