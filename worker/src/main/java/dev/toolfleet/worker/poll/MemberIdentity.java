package dev.toolfleet.worker.poll;

import java.time.Duration;

/// Identity of a worker in its consumer group.
///
/// @param group the consumer group that all workers of a fleet share
/// @param name unique in the group; names the transactional ids
/// @param sessionTimeout after which a silent worker has lost its partitions
public record MemberIdentity(String group, String name, Duration sessionTimeout) {}
