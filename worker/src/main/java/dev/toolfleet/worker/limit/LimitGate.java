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

    /// Asks for one start of a handler. Does not wait.
    Entry ask(Asking asking);

    /// A call that wants to start.
    ///
    /// @param ref whose limits count
    /// @param code what would run ([dev.toolfleet.worker.registry.RegisteredTool#code])
    /// @param name of the tool, as the caller knows it
    /// @param deadline until when the call may wait; null for as long as it takes
    /// @param timeout of the handler: a rate keeps no call without a deadline waiting for longer
    record Asking(ToolRef ref, Object code, String name, @Nullable Instant deadline, Duration timeout) {}

    /// What becomes of it.
    sealed interface Entry {
        /// It waits for its turn.
        record Queued(Turn turn) implements Entry {}

        /// It need not wait any more.
        sealed interface Decided extends Entry {}

        /// It starts.
        ///
        /// @param permit to be closed when the handler has ended, or is given up
        record Admitted(Permit permit) implements Decided {}

        /// It does not.
        record Refused(ToolError error) implements Decided {}
    }

    /// A place in the queue of a tool, which is served in order of arrival.
    interface Turn {
        /// Waits, holding nothing but its thread. An interrupt ends the wait and not the turn: it may be waited for
        /// again, until it is given up.
        Entry.Decided await() throws InterruptedException;

        /// Nobody waits for it any more, or will start although it has come.
        void giveUp();
    }
}
