package dev.toolfleet.worker.poll;

import java.time.Duration;

/// How the poll loop waits.
///
/// @param topic the topic of calls
/// @param idle how long a poll waits when every partition may be read
/// @param busy how long it waits while refused calls are to be offered again
/// @param rest how long the loop lets calls gather after two polls in a row that brought few: who writes them one by
/// one would otherwise be answered by a fetch each, which costs worker and broker more than the call
/// @param revokeTimeout how long a rebalance may wait for what has finished to be committed
/// @param reread after which a partition with an unreadable record is tried again
public record PollConfig(String topic, Duration idle, Duration busy, Duration rest, Duration revokeTimeout,
        Duration reread) {
    /// Calls from which a poll did not bring few.
    static final int MANY = 64;

    /// The defaults.
    public static PollConfig of(String topic) {
        return new PollConfig(topic, Duration.ofMillis(50), Duration.ofMillis(1), Duration.ofMillis(2),
                Duration.ofSeconds(3), Duration.ofSeconds(30));
    }
}
