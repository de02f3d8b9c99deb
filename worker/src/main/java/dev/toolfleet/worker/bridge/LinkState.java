package dev.toolfleet.worker.bridge;

import java.time.Instant;

/// State of a [ServerLink].
sealed interface LinkState {
    /// A connection is being opened.
    record Starting() implements LinkState {}

    /// Calls can be made.
    record Open(OpenServer server) implements LinkState {}

    /// There is no connection until the next start.
    ///
    /// @param reason the end of the last one, for people
    /// @param until the time of the next start
    /// @param paused true if the server fails so often that calls do not wait for that start
    record Down(String reason, Instant until, boolean paused) implements LinkState {}

    /// The last user has gone.
    record Closed() implements LinkState {}
}
