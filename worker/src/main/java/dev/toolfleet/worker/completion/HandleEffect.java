package dev.toolfleet.worker.completion;

import java.util.List;

import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ResumedCall.Grant;
import org.jspecify.annotations.Nullable;

/// Effect of an event, beside the change of the handle's state.
sealed interface HandleEffect {
    /// Publishes the call's outcome; the owner of its partition makes the final result. One per call.
    ///
    /// @param call without arguments
    record Outcome(PendingCall call, Completion outcome, CallEnd how) implements HandleEffect {}

    /// Lets the call run, once: the owner of its partition takes it through its pipeline again. One per handle, and
    /// nothing else ends such a call.
    ///
    /// @param call without arguments
    record Approved(PendingCall call, Grant grant) implements HandleEffect {}

    /// Publishes an approval's event on `tool.audit`.
    ///
    /// @param call without arguments
    /// @param by the person; null for a timer or an unnamed person
    /// @param given the number of people who have approved by then
    record Audit(PendingCall call, Decided what, @Nullable String by, @Nullable String reason,
            int given) implements HandleEffect {
        Audit(PendingCall call, Decided what, @Nullable String by, @Nullable String reason) {
            this(call, what, by, reason, 0);
        }
    }

    /// Events of approvals, as auditors read them.
    enum Decided {
        /// A person let the call run.
        APPROVED("approved"),
        /// A person approved, and others must, too.
        COUNTED("approval-counted"),
        /// A person rejected the call.
        REJECTED("rejected"),
        /// No person decided in time.
        EXPIRED("approval-expired"),
        /// A person approved a call whose rule does not accept this approval; the call waits on.
        REFUSED("approval-refused"),
        /// A person approved a call that cannot be granted.
        DENIED("denied");

        private final String text;

        Decided(String text) {
            this.text = text;
        }

        /// Name in events.
        String text() {
            return text;
        }
    }

    /// Writes a tombstone to `tool.pending`: the handle is closed.
    record Tombstone() implements HandleEffect {}

    /// Writes the call that holds the handle to `tool.pending` again, because another call is the newest record there.
    ///
    /// @param holder without arguments
    record WriteAgain(PendingCall holder) implements HandleEffect {}

    /// Writes the call to `tool.pending` again, with the people who have approved it so far.
    ///
    /// @param holder without arguments
    record ShowCount(PendingCall holder, List<String> people) implements HandleEffect {}

    /// Publishes the call's progress.
    ///
    /// @param call without arguments
    record Show(PendingCall call, Progress progress) implements HandleEffect {
        Show saying(Progress other) {
            return new Show(call, other);
        }
    }

    /// Makes the record a dead letter: it changes nothing, and is kept for people.
    record Letter(RawRecord raw, DeadLetterReason why) implements HandleEffect {}

    /// Requests the progress of the work from the module.
    record Ask(CallPlace call) implements HandleEffect {}

    /// Informs the module that the work is no longer needed.
    record Tell(CallPlace call) implements HandleEffect {}
}
