package dev.toolfleet.worker.override;

import dev.toolfleet.worker.call.Identified;

/// Ends calls whose way to their handler, or back, takes too long.
@FunctionalInterface
public interface CallWatch {
    /// Nothing is watched.
    CallWatch OFF = (run, end) -> () -> {};

    /// A call sets out, on its own thread.
    ///
    /// @param end ends the call from another thread
    Watched begins(Identified run, LaneOverride.End end);

    /// A call on its way.
    @FunctionalInterface
    interface Watched {
        /// The call's thread has come to its end.
        void over();
    }
}
