package dev.toolfleet.worker.tools.selfrestart;

import java.time.Duration;

/// Ends this worker so that it starts anew.
@FunctionalInterface
public interface Restarts {
    /// For a process that nothing restarts.
    Restarts NONE = reason -> new Answer.Unattended();

    /// Requests a restart, which begins soon after the answer; a second request while one is under way is the same
    /// restart.
    Answer request(String reason);

    /// Answer to a request to restart.
    sealed interface Answer {
        /// The worker drains, and starts again.
        record Begins() implements Answer {}

        /// It has only just started.
        ///
        /// @param in after how long a request would be granted
        record TooSoon(Duration in) implements Answer {}

        /// Nothing would start the process again.
        record Unattended() implements Answer {}
    }
}
