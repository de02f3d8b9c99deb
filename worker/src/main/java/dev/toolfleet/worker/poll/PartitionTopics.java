package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.worker.catalog.StepCatalogs;
import dev.toolfleet.worker.identity.HandOvers;
import dev.toolfleet.worker.state.StateFollower;
import org.apache.kafka.common.TopicPartition;

/// Which topics are followed of an assigned partition: its step catalogs, and, when earlier owners left intents open,
/// what they hand over. For the poll thread, which begins and ends assignments.
///
/// @param handOvers what was handed over of the followed partitions
public record PartitionTopics(Topics names, StateFollower follower, StepCatalogs steps, HandOvers handOvers)
        implements
            Intake.Following {
    /// The largest difference between workers' clocks.
    private static final Duration CLOCKS = Duration.ofMinutes(1);

    TopicPartition on(Topic topic, int partition) {
        return new TopicPartition(names.name(topic), partition);
    }

    /// A take-over begins.
    void assigned(int partition) {
        var _ = follower.follow(on(Topic.CATALOG_STEP, partition), steps);
    }

    @Override
    public void opened(int partition, Map<String, CallIntent> open) {
        if (open.isEmpty())
            return;
        Instant first = open.values().stream().map(PartitionTopics::noLaterThan).min(Instant::compareTo).orElseThrow();
        handOvers.opened(partition, open);
        var _ = follower.followSince(on(Topic.CALL_RESUMED, partition), handOvers,
                Math.max(0, first.minus(CLOCKS).toEpochMilli()));
    }

    /// Returns a time before which nothing was handed over of a call. The start is of the worker's clock and the append
    /// time of the broker's. Otherwise: the worker's clock is an hour ahead, and what it handed over is not found.
    private static Instant noLaterThan(CallIntent intent) {
        Instant called = intent.calledAt();
        return called == null || called.isAfter(intent.startedAt()) ? intent.startedAt() : called;
    }

    @Override
    public void closed(int partition) {
        follower.unfollow(on(Topic.CATALOG_STEP, partition));
        follower.unfollow(on(Topic.CALL_RESUMED, partition));
        handOvers.closed(partition);
    }
}
