package dev.toolfleet.cli.script;

import java.time.Duration;

import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;

/// Act of a script beside calls.
public sealed interface ScriptAct {
    /// Line number, from 1.
    int line();

    /// Target of the act.
    Target target();

    /// Target of an act.
    sealed interface Target {
        /// A call of the script.
        record OfCall(ScriptCall call) implements Target {}

        /// Whatever call of the script gets this handle.
        record OfHandle(String handle) implements Target {}
    }

    /// Completion of a call's pending work, as soon as it is pending.
    ///
    /// @param draft the completion, but for its handle
    record Complete(int line, Target target, Completion draft) implements ScriptAct {
        /// The completion of that handle.
        public Completion of(String handle) {
            return new Completion(handle, draft.kind(), draft.output(), draft.error(), draft.progress(),
                    draft.token());
        }

        @Override
        public String toString() {
            return "completion (line " + line + ", " + draft.kind().text() + ")";
        }
    }

    /// Decides about a call, as soon as it waits for a person. A second one about the same call is for the next time
    /// that it is asked about.
    ///
    /// @param draft the decision, but for its handle
    record Decide(int line, Target target, Decision draft) implements ScriptAct {
        /// The decision about that handle.
        public Decision of(String handle) {
            return draft.about(handle);
        }

        @Override
        public String toString() {
            return "decision (line " + line + ", " + draft.decision().text() + ")";
        }
    }

    /// Cancels a call some time after it was sent, or after it got its handle when it is named by that.
    ///
    /// @param wholeStep whether all calls of its step are meant
    /// @param oncePending whether the time begins with the handle also for a call that is named by its id
    record Cancel(int line, Target target, boolean wholeStep, boolean oncePending, Duration after,
            @Nullable String reason)
            implements
                ScriptAct {
        /// The cancellation of that call.
        ///
        /// @param handle under which the call was named; null when it was named by its id
        public CancelCall of(ToolCall call, @Nullable String handle) {
            return new CancelCall(call.instanceKey(), wholeStep ? null : call.id(), call.stepId(), handle, "script",
                    reason, call.agentName(), call.turnId());
        }

        @Override
        public String toString() {
            return "cancel (line " + line + ")";
        }
    }
}
