package dev.toolfleet.worker.policy;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.worker.registry.RegisteredTool;

/// Holds or refuses a call while its tool is at its limits.
@FunctionalInterface
public interface LimitGate {
    /// No limits.
    LimitGate OPEN = (tool, run) -> run.run();

    /// Runs the call when the tool's limits allow it, or replies why they do not.
    ToolReply within(RegisteredTool tool, Run run);

    /// A call that may start.
    @FunctionalInterface
    interface Run {
        /// Starts it.
        ToolReply run();
    }
}
