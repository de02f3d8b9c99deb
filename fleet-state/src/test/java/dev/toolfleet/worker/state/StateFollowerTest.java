package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class StateFollowerTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final TopicPartition PARTITION = new TopicPartition("tool.catalog.step", 0);
    private static final TopicPartition DEAF = new TopicPartition("tool.catalog.step", 1);

    private final AtomicLong nanos = new AtomicLong();
    private final Seen seen = new Seen();
    private final Brokers brokers = new Brokers();
    private final Patient consumer = new Patient();
    private final AtomicInteger repeats = new AtomicInteger();
    private final StateFollower follower = new StateFollower(consumer, brokers, nanos::get, cause -> {});

    @AfterEach
    void close() {
        follower.close();
    }

    /// Answers for every partition but the deaf one at once, and for that one when the test sets it.
    private static final class Brokers implements PartitionOffsets {
        final Map<TopicPartition, Long> ends = new ConcurrentHashMap<>();
        final List<CompletableFuture<Long>> unanswered = new CopyOnWriteArrayList<>();

        @Override
        public Map<TopicPartition, CompletableFuture<Long>> committedEnds(Set<TopicPartition> partitions) {
            Map<TopicPartition, CompletableFuture<Long>> answers = new ConcurrentHashMap<>();
            partitions.forEach(partition -> answers.put(partition, offset(partition)));
            return answers;
        }

        @Override
        public CompletableFuture<Long> firstSince(TopicPartition partition, long time) {
            return offset(partition);
        }

        private CompletableFuture<Long> offset(TopicPartition partition) {
            Long end = ends.get(partition);
            if (end != null)
                return CompletableFuture.completedFuture(end);
            CompletableFuture<Long> open = new CompletableFuture<>();
            unanswered.add(open);
            return open;
        }
    }

    /// Refuses every question that would wait for a broker, as the real one waits a minute for a partition without a
    /// leader.
    private static final class Patient extends UnhurriedConsumer {
        @Override
        public synchronized long position(TopicPartition partition) {
            throw new AssertionError("waits for a broker");
        }

        @Override
        public synchronized long position(TopicPartition partition, Duration timeout) {
            if (partition.equals(DEAF))
                throw new TimeoutException("nobody leads it");
            return super.position(partition);
        }

        @Override
        public synchronized Map<TopicPartition, Long> endOffsets(java.util.Collection<TopicPartition> partitions) {
            throw new AssertionError("waits for a broker");
        }

        @Override
        public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times) {
            throw new AssertionError("waits for a broker");
        }
    }

    @Test
    void aPartitionWhoseEndIsNotKnownHoldsUpOnlyThoseThatWaitForIt() throws Exception {
        start();
        CompletableFuture<Void> deaf = follower.follow(DEAF, seen);
        await().atMost(PATIENCE).until(() -> !brokers.unanswered.isEmpty());

        add(0, "a");
        brokers.ends.put(PARTITION, 1L);
        follower.catchUp(PARTITION).get(60, TimeUnit.SECONDS);

        assertThat(seen.keys).containsExactly("a");
        assertThat(deaf).isNotDone();
    }

    @Test
    void aPartitionThatCannotBePositionedHoldsUpOnlyThoseThatWaitForIt() throws Exception {
        start();
        brokers.ends.put(DEAF, 5L);
        CompletableFuture<Void> deaf = follower.follow(DEAF, seen);
        CompletableFuture<Void> upTo = follower.readUpTo(DEAF, 1);

        add(0, "a");
        brokers.ends.put(PARTITION, 1L);
        follower.catchUp(PARTITION).get(60, TimeUnit.SECONDS);

        assertThat(seen.keys).containsExactly("a");
        assertThat(deaf).isNotDone();
        assertThat(upTo).isNotDone();
    }

    @Test
    void aLookupThatFailsIsMadeAgain() throws Exception {
        start();
        brokers.ends.remove(PARTITION);
        CompletableFuture<Void> read = follower.catchUp(PARTITION);
        await().atMost(PATIENCE).until(() -> brokers.unanswered.size() == 1);

        brokers.ends.put(PARTITION, 0L);
        brokers.unanswered.getFirst().completeExceptionally(new TimeoutException("no leader"));

        read.get(60, TimeUnit.SECONDS);
    }

    @Test
    void anAnswerToWhomGaveUpDoesNotBeginTheNext() throws Exception {
        start();
        CompletableFuture<Void> first = follower.followSince(DEAF, seen, 1);
        await().atMost(PATIENCE).until(() -> brokers.unanswered.size() == 2);
        List<CompletableFuture<Long>> old = List.copyOf(brokers.unanswered);
        follower.unfollow(DEAF);
        var _ = follower.followSince(DEAF, seen, 1);
        await().atMost(PATIENCE).until(() -> brokers.unanswered.size() == 4);
        old.forEach(answer -> answer.complete(0L));
        follower.catchUp(PARTITION).get(60, TimeUnit.SECONDS);

        assertThatThrownBy(first::join).hasMessageContaining("not followed");
        assertThat(consumer.assignment()).containsExactly(PARTITION);
        brokers.unanswered.get(2).complete(3L);
        brokers.unanswered.get(3).complete(3L);
        await().atMost(PATIENCE).until(() -> consumer.assignment().contains(DEAF));
    }

    @Test
    void whoAsksWhileAnEndIsLookedUpWaitsForTheNextLookup() throws Exception {
        start();
        brokers.ends.remove(PARTITION);
        CompletableFuture<Void> early = follower.catchUp(PARTITION);
        await().atMost(PATIENCE).until(() -> brokers.unanswered.size() == 1);
        CompletableFuture<Void> late = follower.catchUp(PARTITION);
        brokers.unanswered.getFirst().complete(0L);
        early.get(60, TimeUnit.SECONDS);

        await().atMost(PATIENCE).until(() -> brokers.unanswered.size() == 2);
        assertThat(late).isNotDone();
        brokers.unanswered.get(1).complete(0L);
        late.get(60, TimeUnit.SECONDS);
    }

    @Test
    void aViewThatWaitsShowsInTheAgeOfTheLastTurn() throws Exception {
        start();
        assertThat(follower.standsStill()).isZero();
        CountDownLatch waits = new CountDownLatch(1);
        seen.waits = waits;
        add(0, "a");
        await().atMost(PATIENCE).until(() -> seen.waiting);

        nanos.addAndGet(Duration.ofSeconds(11).toNanos());
        assertThat(follower.standsStill()).isEqualTo(Duration.ofSeconds(11));
        waits.countDown();

        await().atMost(PATIENCE).until(() -> follower.standsStill().isZero());
    }

    @Test
    void commandsThatNeverEndDoNotKeepRecordsFromBeingRead() throws Exception {
        start();
        repeat();
        await().atMost(PATIENCE).until(() -> repeats.get() > 10);
        add(0, "a");

        await().atMost(PATIENCE).until(() -> seen.keys.size() == 1);
    }

    private void start() throws Exception {
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L, DEAF, 0L));
        brokers.ends.put(PARTITION, 0L);
        follower.start();
        follower.follow(PARTITION, seen).get(60, TimeUnit.SECONDS);
    }

    private void add(long offset, String key) {
        consumer.schedulePollTask(() -> consumer.addRecord(
                new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), offset, key.getBytes(UTF_8),
                        new byte[0])));
    }

    private void repeat() {
        repeats.incrementAndGet();
        var _ = follower.catchUp(PARTITION).thenRun(this::repeat);
    }

    private static final class Seen implements TopicView {
        final List<String> keys = new CopyOnWriteArrayList<>();
        volatile @Nullable CountDownLatch waits;
        volatile boolean waiting;

        @Override
        public void apply(int partition, String key, byte @Nullable [] value, long time) {
            keys.add(key);
            CountDownLatch until = waits;
            waiting = until != null;
            try {
                if (until != null)
                    until.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void forget(int partition) {}
    }
}
