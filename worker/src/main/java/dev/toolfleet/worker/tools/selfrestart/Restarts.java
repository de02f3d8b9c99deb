package dev.toolfleet.worker.tools.selfrestart;

import java.time.Duration;

/// What ends this worker so that it starts anew.
@FunctionalInterface
public interface Restarts {
    /// Nobody starts this process again.
    Restarts NONE = reason -> new Answer.Unattended();

    /// Asks for a restart, which begins soon after the answer; a second request while one is under way is the same
    /// restart.
    Answer request(String reason);

    /// Whether there will be one.
    sealed interface Answer {
        /// The worker drains, and starts again.
        record Begins() implements Answer {}

        /// It has only just started.
        ///
        /// @param in after how long a request would be granted
        record TooSoon(Duration in) implements Answer {}

        /// Nobody would start it again.
        record Unattended() implements Answer {}
    }
}
