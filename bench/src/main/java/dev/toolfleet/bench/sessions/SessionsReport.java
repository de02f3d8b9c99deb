package dev.toolfleet.bench.sessions;

import java.time.Duration;

/// Speed of the session service beside that of a worker.
///
/// @param workerPerSecond results that one worker publishes, of tools that do nothing
/// @param servicePerSecond messages that one session service writes of the same results
/// @param appliedPerSecond the same, until the service has read all of them back
/// @param rate results a second while the latency was measured
/// @param p50 from a result to its message, both as a reader sees them
/// @param p99 as `p50`
/// @param measured results whose latency was measured
/// @param missing results without a message
/// @param restoredMessages the messages of the state that was read back
/// @param restoredInstances their instances
/// @param restore from the start of a service without a state to its first work
public record SessionsReport(double workerPerSecond, double servicePerSecond, double appliedPerSecond, int rate,
        Duration p50, Duration p99,
        int measured, int missing, int restoredMessages, int restoredInstances, Duration restore) {
    /// The goal for [#share].
    public static final double SHARE = 0.5;
    /// The goal for the 99th percentile at 500 calls a second.
    public static final Duration LATENCY = Duration.ofMillis(100);
    /// The goal for the restore of 1,000,000 messages of 10,000 instances.
    public static final Duration RESTORE = Duration.ofSeconds(60);

    /// Returns the service's part of the worker's speed.
    public double share() {
        return servicePerSecond / workerPerSecond;
    }

    /// True if every result has its message. Goals of speed are no promise: machines differ.
    public boolean kept() {
        return missing == 0;
    }
}
