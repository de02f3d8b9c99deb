package dev.toolfleet.worker.poll;

import java.time.Duration;

/// Waiting times of the poll loop.
///
/// @param topic the topic of calls
/// @param idle the longest poll when every partition may be read
/// @param busy the longest poll while refused calls are to be offered again
/// @param rest a pause in which calls gather, after two polls in a row that brought few. Otherwise: a caller that
/// writes calls one by one causes a fetch for each, which costs worker and broker more than the call
/// @param revokeTimeout the longest time for which a rebalance waits until finished calls are committed
/// @param reread after which a partition with an unreadable record is tried again
public record PollConfig(String topic, Duration idle, Duration busy, Duration rest, Duration revokeTimeout,
        Duration reread) {
    /// Number of calls from which on a poll brought many.
    static final int MANY = 64;

    /// The defaults.
    public static PollConfig of(String topic) {
        return new PollConfig(topic, Duration.ofMillis(50), Duration.ofMillis(1), Duration.ofMillis(2),
                Duration.ofSeconds(3), Duration.ofSeconds(30));
    }
}
