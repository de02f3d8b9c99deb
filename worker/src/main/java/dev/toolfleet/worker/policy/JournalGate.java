package dev.toolfleet.worker.policy;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.registry.RegisteredTool;

/// Notes, before a handler starts whose effects must not happen twice, that it is about to.
@FunctionalInterface
public interface JournalGate {
    /// Notes nothing.
    JournalGate NONE = (position, tool, run) -> run.run();

    /// Runs the handler once the note is committed.
    ToolReply noted(Position position, RegisteredTool tool, LimitGate.Run run);
}
