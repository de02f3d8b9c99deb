package dev.toolfleet.worker.completion;

import java.util.List;

import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ResumedCall.Grant;
import org.jspecify.annotations.Nullable;

/// What has to happen beside a change of a handle's state.
sealed interface Effect {
    /// The call has its outcome, which the owner of its partition publishes. One per call.
    ///
    /// @param call without arguments
    record Outcome(PendingCall call, Completion outcome, Ending how) implements Effect {}

    /// The call may run, once: the owner of its partition takes it through its pipeline again. One per handle, and
    /// nothing else ends a call that has this.
    ///
    /// @param call without arguments
    record Approved(PendingCall call, Grant grant) implements Effect {}

    /// `tool.audit` hears what became of an approval.
    ///
    /// @param call without arguments
    /// @param by who did it; null when time did, or nobody says who
    /// @param given how many people have approved by then
    record Audit(PendingCall call, Decided what, @Nullable String by, @Nullable String reason,
            int given) implements Effect {
        Audit(PendingCall call, Decided what, @Nullable String by, @Nullable String reason) {
            this(call, what, by, reason, 0);
        }
    }

    /// What becomes of approvals, as auditors read it.
    enum Decided {
        /// A person let the call run.
        APPROVED("approved"),
        /// A person approved, and others must, too.
        COUNTED("approval-counted"),
        /// A person did not.
        REJECTED("rejected"),
        /// Nobody decided in time.
        EXPIRED("approval-expired"),
        /// A person approved what may not be approved so; the call waits on.
        REFUSED("approval-refused"),
        /// A person approved what cannot be granted.
        DENIED("denied");

        private final String text;

        Decided(String text) {
            this.text = text;
        }

        /// As events name it.
        String text() {
            return text;
        }
    }

    /// `tool.pending` hears that the handle is closed.
    record Tombstone() implements Effect {}

    /// `tool.pending` gets the call again that holds the handle, since another stands there now.
    ///
    /// @param holder without arguments
    record WriteAgain(PendingCall holder) implements Effect {}

    /// `tool.pending` gets the call again, with the people who have approved it so far.
    ///
    /// @param holder without arguments
    record ShowCount(PendingCall holder, List<String> people) implements Effect {}

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
