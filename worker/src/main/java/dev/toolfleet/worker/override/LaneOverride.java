package dev.toolfleet.worker.override;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.lane.LaneSlot;

/// Lets operators help a lane past a call that it does not get over.
@FunctionalInterface
public interface LaneOverride {
    /// No override: without a broker there are no operators.
    LaneOverride NONE = (run, slot, end) -> {};

    /// A call begins, on its own thread.
    ///
    /// @param end ends the call from another thread
    void begins(Identified run, LaneSlot slot, End end);

    /// Ends a call whose own thread is still busy with it.
    interface End {
        /// True if its fate is decided.
        boolean isDecided();

        /// Publishes the reply and lets the lane go on.
        void with(ToolReply reply);
    }
}
