package dev.toolfleet.worker.recovery;

import java.time.Instant;
import java.util.function.Supplier;

import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.CallFacts.Started;
import dev.toolfleet.worker.execute.HandlerResult;
import dev.toolfleet.worker.execute.MoveNote;
import dev.toolfleet.worker.registry.RegisteredTool;

/// Notes, before a handler starts whose effects must not happen twice, that it is about to.
@FunctionalInterface
public interface Journal {
    /// Notes nothing: without a broker there is no reader.
    Journal NONE = (run, tool, deadline, start) -> start.get();

    /// Starts the handler once the note is committed; leaves the call when it cannot be.
    ///
    /// @param deadline until when the handler may run
    HandlerResult noted(Started run, RegisteredTool tool, Instant deadline, Supplier<HandlerResult> start);

    /// The note by which a start of a call that may run twice runs on when its partition moves.
    default MoveNote onMove(Started run, RegisteredTool tool, Instant deadline) {
        return MoveNote.NONE;
    }

    /// The call will have no result here.
    default void left(CallFacts run) {}
}
