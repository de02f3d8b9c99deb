package dev.toolfleet.worker.poll;

import java.time.Duration;

/// How the poll loop waits.
///
/// @param topic the topic of calls
/// @param idle how long a poll waits when every partition may be read
/// @param busy how long it waits while refused calls are to be offered again
/// @param revokeTimeout how long a rebalance may wait for what has finished to be committed
public record PollConfig(String topic, Duration idle, Duration busy, Duration revokeTimeout) {
    /// The defaults.
    public static PollConfig of(String topic) {
        return new PollConfig(topic, Duration.ofMillis(50), Duration.ofMillis(1), Duration.ofSeconds(3));
    }
}
