package dev.toolfleet.worker.recovery;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.Recalled;
import dev.toolfleet.worker.commit.Outcome;
import org.jspecify.annotations.Nullable;

/// Finds out whether a call has to run at all: it may have been answered, be running, or have been started by an owner
/// of its partition that died. Comes before everything that could say "not run".
@FunctionalInterface
public interface IdentityStage {
    /// Every call runs: without a broker there is no memory of calls.
    IdentityStage EVERY_CALL_RUNS = (call, abandoned) -> new Entry.GoOn(call.recalledBy(null));

    /// Decides the way of the call. May wait, holding its lane.
    ///
    /// @param abandoned told, on another thread, how a call ended whose tool does not answer
    Entry enter(Identified call, Abandoned abandoned);

    /// Ends a call whose own thread is still busy with it.
    @FunctionalInterface
    interface Abandoned {
        /// Publishes the reply and lets the lane go on.
        void end(ToolReply reply);
    }

    /// Way of a call.
    sealed interface Entry {
        /// On, to its handler.
        public record GoOn(Recalled call) implements Entry {}

        /// Straight to the guard.
        ///
        /// @param pending what is kept of a call that goes on elsewhere, when an earlier owner made it
        record Ended(ToolReply reply, @Nullable PendingCall pending) implements Entry {}

        /// Straight to the transaction loop.
        record Settled(Outcome outcome) implements Entry {}

        /// To the next owner of its partition.
        record Left() implements Entry {}
    }
}
