package dev.toolfleet.bench.verdict;

import java.time.Duration;
import java.time.Instant;

/// Longest wait of the first call in an instance's line while nothing of its instance ran.
///
/// @param whose who had reason to wait
/// @param callId the call that waited
/// @param took the longest stretch without a run between `from` and its result
/// @param from when it was sent, or the call before it answered
public record Stall(Whose whose, String callId, String instance, int partition, Duration took, Instant from) {
    /// Reason for a wait.
    public enum Whose {
        /// An instance of a worker that was killed, stopped or frozen.
        VICTIMS,
        /// Any instance, by a fault that concerned the whole fleet, such as a broker that was away.
        ALL,
        /// No instance.
        OTHERS
    }
}
