package dev.toolfleet.worker.poll;

import java.time.Duration;

/// Identity of a worker in its consumer group.
///
/// @param group the consumer group that all workers of a fleet share
/// @param name unique in the group; names the transactional ids
/// @param sessionTimeout after which a silent worker has lost its partitions
public record MemberIdentity(String group, String name, Duration sessionTimeout) {
    /// The least that [#longestRebalance] is. The poll thread needs 3 s at most, for a revocation.
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(20);

    /// The longest time between two polls of a member, and so the longest time for which its group waits for it in a
    /// rebalance. With the client's 5 minutes, one thread that hangs while its heartbeats go on would hold a rebalance
    /// open until every other worker has fenced itself. Never less than the session timeout: a process that froze for
    /// less than that keeps its place.
    Duration longestRebalance() {
        return sessionTimeout.compareTo(POLL_INTERVAL) > 0 ? sessionTimeout : POLL_INTERVAL;
    }

    /// Longer than the membership of a dead process lasts. The group waits for a rebalance that is under way, and counts
    /// the silence of a member that waits for its end only from there.
    Duration longestMembership() {
        return longestRebalance().plus(sessionTimeout.multipliedBy(2));
    }
}
