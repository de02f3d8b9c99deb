package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.Incarnation;
import dev.toolfleet.worker.state.FakeOffsets;
import dev.toolfleet.worker.state.FakeOffsets.Log;
import dev.toolfleet.worker.state.FollowedTopics;
import dev.toolfleet.worker.state.RangeReader;
import dev.toolfleet.worker.state.SpareConsumers;
import dev.toolfleet.worker.state.TopicView;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class KafkaSourcesTest {
    private static final Topics TOPICS = new Topics("v2.");
    private static final int PARTITION = 3;
    private static final TopicPartition CALLS = on(Topic.CALL);
    private static final TopicPartition STEPS = on(Topic.CATALOG_STEP);
    private static final Incarnation LOGS = new Incarnation("calls-id", "resumed-id", "cluster");

    private final FakeOffsets broker = new FakeOffsets();
    private final FollowedTopics followed = new FollowedTopics(STEPS);
    private final Group group = new Group();
    private final Reader reader = new Reader();
    private final List<String> fenced = new ArrayList<>();
    private Runnable fenceTheDead = () -> {};
    private final KafkaSources sources = new KafkaSources(TOPICS,
            new GroupOffsets(new SpareConsumers(() -> group), CALLS.topic(), on(Topic.CALL_RESUMED).topic(),
                    AdaptiveTimeout.from(Duration.ofMillis(1))),
            () -> LOGS, broker.offsets(), new RangeReader(new SpareConsumers(() -> reader), Duration.ofMillis(1), 1),
            followed.follower(), this::fence, "gone"::equals);

    @AfterEach
    void close() {
        followed.close();
    }

    private void fence() {
        fenced.add("dead");
        fenceTheDead.run();
    }

    /// The group's coordinator: fails as often as a test sets, then answers.
    private static final class Group extends MockConsumer<byte[], byte[]> {
        final Deque<KafkaException> failures = new ArrayDeque<>();
        final Map<TopicPartition, OffsetAndMetadata> offsets = new java.util.HashMap<>();

        Group() {
            super("earliest");
        }

        @Override
        public synchronized Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions,
                Duration atMost) {
            KafkaException failure = failures.poll();
            if (failure != null)
                throw failure;
            Map<TopicPartition, OffsetAndMetadata> found = new java.util.HashMap<>(offsets);
            found.keySet().retainAll(partitions);
            return found;
        }
    }

    /// Reads one partition, and knows where its leader's history departs.
    private static final class Reader extends MockConsumer<byte[], byte[]> {
        @Nullable
        OffsetAndMetadata sought;
        long departsAt = Long.MAX_VALUE;

        Reader() {
            super("earliest");
        }

        @Override
        public synchronized void seek(TopicPartition partition, OffsetAndMetadata offset) {
            sought = offset;
            super.seek(partition, new OffsetAndMetadata(Math.min(departsAt, offset.offset())));
        }

        void holds(TopicPartition partition, long... timesByOffset) {
            updateBeginningOffsets(Map.of(partition, 0L));
            schedulePollTask(() -> add(partition, 0, timesByOffset));
        }

        void add(TopicPartition partition, long first, long... times) {
            for (int i = 0; i < times.length; i++) {
                addRecord(new ConsumerRecord<>(partition.topic(), partition.partition(), first + i, times[i],
                        TimestampType.LOG_APPEND_TIME, 0, 0, new byte[0], new byte[0], new RecordHeaders(),
                        Optional.empty()));
            }
        }
    }

    @Test
    void offsetsOfBothTopicsOfCallsAreTheStart() {
        group.offsets.put(CALLS, new OffsetAndMetadata(7, ""));
        group.offsets.put(on(Topic.CALL_RESUMED), new OffsetAndMetadata(2, ""));
        assertThat(sources.start(PARTITION))
                .isEqualTo(new TakeOver.Start(DoneOffsets.from(7), DoneOffsets.from(2)));

        group.offsets.clear();
        assertThat(sources.start(PARTITION)).isEqualTo(new TakeOver.Start(null, null));
        assertThat(fenced).isEmpty();
    }

    @Test
    void offsetsThatStayUndecidedAreAskedForOnceMoreWhenTheDeadAreFenced() {
        group.offsets.put(CALLS, new OffsetAndMetadata(7, ""));
        group.failures.add(new TimeoutException("not stable"));
        assertThat(sources.start(PARTITION).calls()).isEqualTo(DoneOffsets.from(7));
        assertThat(fenced).hasSize(1);

        group.failures.addAll(List.of(new TimeoutException("not stable"), new TimeoutException("still not")));
        assertThatThrownBy(() -> sources.start(PARTITION)).hasMessage("still not");
        assertThat(fenced).hasSize(2);
    }

    @Test
    void nobodyIsFencedForAnAnswerThatIsANo() {
        group.failures.add(new AuthorizationException("not for you"));

        assertThatThrownBy(() -> sources.start(PARTITION)).isInstanceOf(AuthorizationException.class);
        assertThat(fenced).isEmpty();
    }

    /// Otherwise: what an open transaction holds that commits the offset is not read.
    @Test
    void endsLieBehindOpenTransactions() {
        broker.put(CALLS, new Log(4, 10, 11));
        broker.put(on(Topic.JOURNAL), new Log(0, 20, 21));
        broker.put(on(Topic.RESULT), new Log(0, 30, 31));
        broker.put(STEPS, new Log(0, 40, 41));
        broker.put(on(Topic.CALL_RESUMED), new Log(1, 50, 51));

        assertThat(sources.ends(PARTITION)).isEqualTo(new TakeOver.LogEnds(LOGS, 4, 11, 21, 31, 41, 51));
        assertThat(sources.beginning(Topic.CALL_RESUMED, PARTITION)).isEqualTo(1);
    }

    @Test
    void aTimeIsLookedUpInItsOwnTopic() {
        broker.put(on(Topic.RESULT), new Log(0, 9, 9, times(100, 3, 200, 6)));

        assertThat(sources.firstSince(Topic.RESULT, PARTITION, 100)).isEqualTo(3);
        assertThat(sources.firstSince(Topic.RESULT, PARTITION, 101)).isEqualTo(6);
        assertThat(sources.firstSince(Topic.RESULT, PARTITION, 201)).isEqualTo(-1);
    }

    @Test
    void theNewestRecordSaysWhenItWasAppended() {
        broker.put(on(Topic.RESULT), new Log(0, 9, 9, times(100, 3, 200, 6)));
        assertThat(sources.newest(Topic.RESULT, PARTITION)).isEqualTo(200);

        broker.put(on(Topic.RESULT), new Log(9, 9, 9));
        assertThat(sources.newest(Topic.RESULT, PARTITION)).as("all are deleted").isZero();
    }

    @Test
    void theFirstCallAtOrBehindAnOffsetSaysWhenItWasAppended() {
        broker.put(CALLS, new Log(0, 3, 3));
        reader.holds(CALLS, 100, 200, 300);

        assertThat(sources.appendedAt(PARTITION, 1)).hasValue(200);
    }

    /// Otherwise: a caller that leaves a transaction open holds the take-over up.
    @Test
    void aCallersOpenTransactionIsNotWaitedFor() {
        broker.put(CALLS, new Log(0, 1, 3));
        reader.updateBeginningOffsets(Map.of(CALLS, 0L));

        assertThat(sources.appendedAt(PARTITION, 1)).isEqualTo(OptionalLong.empty());
        assertThat(fenced).isEmpty();
    }

    @Test
    void aReadThatStandsStillGoesOnWhenTheDeadAreFenced() {
        TopicPartition journal = on(Topic.JOURNAL);
        reader.holds(journal, 100, 200);
        fenceTheDead = () -> reader.schedulePollTask(() -> reader.add(journal, 2, 300, 400));
        List<Long> read = new ArrayList<>();

        sources.read(Topic.JOURNAL, PARTITION, 1, 3, record -> read.add(record.offset()));

        assertThat(read).containsExactly(1L, 2L);
        assertThat(fenced).hasSize(1);
    }

    @Test
    void aLogIsComparedByTheLeaderEpochOfTheOffset() {
        reader.departsAt = 4;

        assertThat(sources.agreesUpTo(Topic.CALL, PARTITION, 9, 5)).isEqualTo(4);
        assertThat(reader.sought).isEqualTo(new OffsetAndMetadata(9, Optional.of(5), ""));
        assertThat(sources.agreesUpTo(Topic.CALL, PARTITION, 3, 5)).isEqualTo(3);
    }

    @Test
    void stepCatalogsAreKnownUpToTheEndBeforeTheTakeOverGoesOn() throws Exception {
        var _ = followed.follower().follow(STEPS, new Ignored());
        FutureTask<Boolean> awaited = new FutureTask<>(() -> sources.awaitSteps(PARTITION, 1), true);
        Thread waits = Thread.ofVirtual().start(awaited);
        await().atMost(Duration.ofMinutes(1)).until(() -> waits.getState() == Thread.State.TIMED_WAITING);
        assertThat(awaited).isNotDone();

        followed.add(STEPS, 0, "i/coder", new byte[0]);

        assertThat(awaited).succeedsWithin(Duration.ofMinutes(1));
    }

    @Test
    void stepCatalogsThatAreNotFollowedFailTheTakeOver() {
        assertThatThrownBy(() -> sources.awaitSteps(PARTITION, 1)).isInstanceOf(KafkaException.class)
                .hasMessageContaining("step catalogs not readable");
    }

    @Test
    void anInterruptEndsTheWaitForStepCatalogs() {
        var _ = followed.follower().follow(STEPS, new Ignored());
        FutureTask<Boolean> awaited = new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> sources.awaitSteps(PARTITION, 1)).isInstanceOf(InterruptException.class);
            return Thread.interrupted();
        });
        Thread.ofVirtual().start(awaited);

        assertThat(awaited).succeedsWithin(Duration.ofMinutes(1)).as("the flag is set again").isEqualTo(true);
    }

    private static TopicPartition on(Topic topic) {
        return new TopicPartition(TOPICS.name(topic), PARTITION);
    }

    private static NavigableMap<Long, Long> times(long time, long offset, long later, long laterOffset) {
        return new TreeMap<>(Map.of(time, offset, later, laterOffset));
    }

    private static final class Ignored implements TopicView {
        @Override
        public void apply(int partition, String key, byte @Nullable [] value, long time) {}

        @Override
        public void forget(int partition) {}
    }
}
