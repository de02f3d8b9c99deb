package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.worker.recovery.Recovery;
import dev.toolfleet.worker.state.GroupMembers;
import dev.toolfleet.worker.state.TopicOffsets;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/// Earlier owners of this worker's partitions: their words, and their membership.
///
/// @param fenceTheDead ends what workers that are gone left open
record Predecessors(GroupMembers members, PartitionTopics topics, TopicOffsets offsets,
        Runnable fenceTheDead) implements Recovery.EarlierOwners {
    private static final Logger LOG = LoggerFactory.getLogger(Predecessors.class);
    private static final Duration NEWS = Duration.ofMillis(200);
    private static final Duration UNDECIDED = Duration.ofMillis(300);
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    @Override
    public @Nullable HandOver news(int partition, String identity) throws InterruptedException {
        return topics.handOvers().await(partition, identity, NEWS);
    }

    @Override
    public boolean isMember(String memberId) {
        try {
            return members.isMember(memberId);
        } catch (KafkaException e) {
            // A second look: a worker that was thought dead too early may still report.
            return true;
        }
    }

    @Override
    public boolean hasLeft(String memberId) {
        try {
            return members.hasLeft(memberId);
        } catch (KafkaException e) {
            return false;
        }
    }

    /// Up to the read_uncommitted end: the last words of a worker that has died may lie in a transaction whose markers
    /// are still to come.
    @Override
    public boolean catchUp(int partition) throws InterruptedException {
        TopicPartition resumed = topics.on(Topic.CALL_RESUMED, partition);
        try {
            CompletableFuture<Void> read = topics.follower().readUpTo(resumed,
                    requireNonNull(offsets.ends(List.of(resumed)).get(resumed)));
            if (done(read, UNDECIDED))
                return true;
            fenceTheDead.run();
            return done(read, LAST_WORDS);
        } catch (InterruptException e) {
            // It sets the flag again; a method that throws this does not.
            Thread.interrupted();
            throw new InterruptedException();
        } catch (KafkaException | ExecutionException e) {
            LOG.atWarn().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.REASON, e.toString())
                    .log("what earlier owners handed over is not readable, trying again");
            return false;
        }
    }

    private static boolean done(CompletableFuture<Void> read, Duration atMost)
            throws InterruptedException, ExecutionException {
        try {
            read.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }
}
