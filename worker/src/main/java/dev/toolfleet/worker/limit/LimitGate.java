package dev.toolfleet.worker.limit;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import org.jspecify.annotations.Nullable;

/// Lets a call start, holds it, or refuses it, by the limits of its tool.
@FunctionalInterface
public interface LimitGate {
    /// No limits.
    LimitGate OPEN = asking -> new Entry.Admitted(Permit.NONE);

    /// Requests one start of a handler. Does not wait.
    Entry ask(Asking asking);

    /// Request of a call to start.
    ///
    /// @param ref the tool whose limits count
    /// @param code the code that would run ([dev.toolfleet.worker.registry.RegisteredTool#code])
    /// @param name of the tool, as the caller knows it
    /// @param deadline the end of the wait; null for none
    /// @param timeout of the handler: a rate keeps no call without a deadline waiting for longer
    record Asking(ToolRef ref, Object code, String name, @Nullable Instant deadline, Duration timeout) {}

    /// Answer to a request.
    sealed interface Entry {
        /// The call waits for its turn.
        record Queued(Turn turn) implements Entry {}

        /// The call need not wait any more.
        sealed interface Decided extends Entry {}

        /// The call starts.
        ///
        /// @param permit must be closed when the handler has ended, or is abandoned
        record Admitted(Permit permit) implements Decided {}

        /// The call does not start.
        record Refused(ToolError error) implements Decided {}
    }

    /// A place in the queue of a tool, which is served in order of arrival.
    interface Turn {
        /// Waits, holding only its thread. An interrupt ends the wait and not the turn: the caller may wait for it
        /// again until it gives it up.
        Entry.Decided await() throws InterruptedException;

        /// Gives the turn up, before or after it has come.
        void giveUp();
    }
}
