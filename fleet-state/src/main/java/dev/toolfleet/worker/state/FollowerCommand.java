package dev.toolfleet.worker.state;

import java.util.concurrent.CompletableFuture;

import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Command to the thread of a state follower.
sealed interface FollowerCommand {
    /// An offset that was looked up; null when the lookup failed.
    record Answer(@Nullable Long offset) {}

    record Follow(TopicPartition partition, TopicView view, long since, CompletableFuture<Void> caughtUp)
            implements
                FollowerCommand {}

    record Unfollow(TopicPartition partition) implements FollowerCommand {}

    record CatchUp(TopicPartition partition, CompletableFuture<Void> caughtUp) implements FollowerCommand {}

    record ReadUpTo(TopicPartition partition, long end, CompletableFuture<Void> caughtUp) implements FollowerCommand {}

    /// The first offset of a partition was looked up.
    record Begin(FollowedPartitions.Followed followed, long since, Answer answer) implements FollowerCommand {}

    /// The end of a partition was looked up.
    record End(CatchUpWaiters.Lookup lookup, Answer answer) implements FollowerCommand {}
}
