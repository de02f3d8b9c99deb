package dev.toolfleet.worker.poll;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.commit.CommittedPositions;
import dev.toolfleet.worker.commit.Incarnation;
import dev.toolfleet.worker.state.RangeReader;
import dev.toolfleet.worker.state.StateFollower;
import dev.toolfleet.worker.state.TopicOffsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

import static java.util.Objects.requireNonNull;

/// Sources of a take-over: the fleet's topics and the group's offsets. If a transaction of an earlier owner is still
/// open and delays the take-over, this class fences the producers of dead workers. Thread-safe.
final class KafkaSources implements TakeOver.Sources {
    private static final long STEPS_SECONDS = 10;

    private final Topics topics;
    private final GroupOffsets offsets;
    private final Supplier<Incarnation> incarnation;
    private final TopicOffsets ends;
    private final RangeReader scan;
    private final StateFollower follower;
    private final Runnable fenceTheDead;
    private final Predicate<String> hasLeft;

    /// @param incarnation requests the ids of the logs of the call topics
    /// @param follower follows the partition's step catalogs
    /// @param fenceTheDead ends the open transactions of dead workers
    /// @param hasLeft true if the group has no member of that id any more
    public KafkaSources(Topics topics, GroupOffsets offsets, Supplier<Incarnation> incarnation,
            TopicOffsets ends, RangeReader scan, StateFollower follower, Runnable fenceTheDead,
            Predicate<String> hasLeft) {
        this.hasLeft = hasLeft;
        this.topics = topics;
        this.offsets = offsets;
        this.incarnation = incarnation;
        this.ends = ends;
        this.scan = scan;
        this.follower = follower;
        this.fenceTheDead = fenceTheDead;
    }

    @Override
    public TakeOver.Start start(int partition) {
        CommittedPositions all = committed(partition);
        return new TakeOver.Start(all.calls().get(partition), all.resumed().get(partition));
    }

    private CommittedPositions committed(int partition) {
        try {
            return offsets.committed(Set.of(partition));
        } catch (TimeoutException e) {
            fenceTheDead.run();
            return offsets.committed(Set.of(partition));
        }
    }

    @Override
    public TakeOver.LogEnds ends(int partition) {
        TopicPartition calls = on(Topic.CALL, partition);
        TopicPartition journal = on(Topic.JOURNAL, partition);
        TopicPartition results = on(Topic.RESULT, partition);
        TopicPartition steps = on(Topic.CATALOG_STEP, partition);
        TopicPartition resumed = on(Topic.CALL_RESUMED, partition);
        Map<TopicPartition, Long> found = ends.ends(List.of(calls, journal, results, steps, resumed));
        return new TakeOver.LogEnds(incarnation.get(), ends.beginning(calls), requireNonNull(found.get(calls)),
                requireNonNull(found.get(journal)), requireNonNull(found.get(results)),
                requireNonNull(found.get(steps)), requireNonNull(found.get(resumed)));
    }

    @Override
    public long agreesUpTo(Topic topic, int partition, long offset, int epoch) {
        return scan.agreesUpTo(on(topic, partition), offset, epoch);
    }

    @Override
    public long beginning(Topic topic, int partition) {
        return ends.beginning(on(topic, partition));
    }

    /// Ignores a caller's open transaction: only committed calls count.
    @Override
    public OptionalLong appendedAt(int partition, long offset) {
        TopicPartition calls = on(Topic.CALL, partition);
        ConsumerRecord<byte[], byte[]> first = scan.first(calls, offset, ends.committedEnd(calls));
        return first == null ? OptionalLong.empty() : OptionalLong.of(first.timestamp());
    }

    @Override
    public long newest(Topic topic, int partition) {
        return ends.newest(on(topic, partition));
    }

    @Override
    public long firstSince(Topic topic, int partition, long time) {
        return ends.firstSince(on(topic, partition), time);
    }

    @Override
    public void read(Topic topic, int partition, long from, long end,
            Consumer<ConsumerRecord<byte[], byte[]>> each) {
        scan.read(on(topic, partition), from, end, each, fenceTheDead);
    }

    @Override
    public boolean hasLeft(String memberId) {
        return hasLeft.test(memberId);
    }

    @Override
    public void awaitSteps(int partition, long end) {
        CompletableFuture<Void> caughtUp = follower.readUpTo(on(Topic.CATALOG_STEP, partition), end);
        try {
            caughtUp.get(STEPS_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new KafkaException("step catalogs not readable", e.getCause());
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("step catalogs not read after " + STEPS_SECONDS + " s", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private TopicPartition on(Topic topic, int partition) {
        return new TopicPartition(topics.name(topic), partition);
    }
}
