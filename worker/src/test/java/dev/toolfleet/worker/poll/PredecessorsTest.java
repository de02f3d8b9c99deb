package dev.toolfleet.worker.poll;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.worker.catalog.StepCatalogs;
import dev.toolfleet.worker.identity.HandOvers;
import dev.toolfleet.worker.state.ChangeSignal;
import dev.toolfleet.worker.state.FakeOffsets;
import dev.toolfleet.worker.state.FakeOffsets.Log;
import dev.toolfleet.worker.state.FollowedTopics;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PredecessorsTest {
    private static final TopicPartition RESUMED = new TopicPartition("tool.call.resumed", 0);

    private final FakeOffsets broker = new FakeOffsets();
    private final FollowedTopics followed = new FollowedTopics(RESUMED);
    private final HandOvers handOvers = new HandOvers();
    private final PartitionTopics topics = new PartitionTopics(new Topics(""), followed.follower(),
            new StepCatalogs(new ChangeSignal()), handOvers);
    private final AtomicInteger fencings = new AtomicInteger();
    private Runnable fenceTheDead = () -> {};

    @AfterEach
    void close() {
        followed.close();
    }

    private Predecessors predecessors() {
        return new Predecessors(broker.group(), topics, broker.offsets(), () -> {
            fencings.incrementAndGet();
            fenceTheDead.run();
        });
    }

    @Test
    void whoIsInTheGroupMayStillSpeak() {
        broker.members("member-1");

        assertThat(predecessors().isMember("member-1")).isTrue();
        assertThat(predecessors().isMember("member-2")).isFalse();
    }

    @Test
    void whileTheGroupIsNotKnownEverybodyMayStillSpeak() {
        broker.members("member-1");
        broker.refuse(new TimeoutException("no coordinator"));

        assertThat(predecessors().isMember("member-2")).isTrue();
    }

    @Test
    void aGroupWithoutMembersIsNotBelieved() {
        assertThat(predecessors().isMember("member-2")).isTrue();
    }

    @Test
    void whatIsHandedOverMeanwhileIsNews() throws Exception {
        follow();
        assertThat(predecessors().news(0, "call")).isNull();

        followed.add(RESUMED, 0, "i", PartitionTopicsTest.handedOver("call"));
        followed.follower().readUpTo(RESUMED, 1).get(60, TimeUnit.SECONDS);

        assertThat(predecessors().news(0, "call")).isNotNull();
        assertThat(predecessors().news(0, "another")).isNull();
        assertThat(predecessors().news(1, "call")).isNull();
    }

    @Test
    void whatIsDecidedIsReadWithoutFencingAnybody() throws Exception {
        follow();
        broker.put(RESUMED, new Log(0, 1, 1));
        followed.add(RESUMED, 0, "i", PartitionTopicsTest.handedOver("call"));
        followed.follower().readUpTo(RESUMED, 1).get(60, TimeUnit.SECONDS);

        assertThat(predecessors().catchUp(0)).isTrue();
        assertThat(fencings).hasValue(0);
    }

    /// The end behind open transactions counts: a worker that died may have said its last words in one.
    @Test
    void anOpenTransactionOfADeadWorkerIsEndedAndThenRead() throws Exception {
        follow();
        broker.put(RESUMED, new Log(0, 0, 1));
        fenceTheDead = () -> followed.add(RESUMED, 0, "i", PartitionTopicsTest.handedOver("call"));

        assertThat(predecessors().catchUp(0)).isTrue();

        assertThat(fencings).hasValue(1);
        assertThat(handOvers.of(0, "call")).isNotNull();
    }

    @Test
    void whatIsNotReadableIsNotRead() throws Exception {
        broker.put(RESUMED, new Log(0, 0, 0));
        assertThat(predecessors().catchUp(0)).as("nobody follows it").isFalse();

        follow();
        broker.refuse(new TimeoutException("no leader"));
        assertThat(predecessors().catchUp(0)).isFalse();
    }

    @Test
    void anInterruptEndsTheWaitAndLeavesNoFlag() {
        broker.put(RESUMED, new Log(0, 0, 0));
        FutureTask<Boolean> caughtUp = new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> predecessors().catchUp(0)).isInstanceOf(InterruptedException.class);
            return Thread.interrupted();
        });
        Thread.ofVirtual().start(caughtUp);

        assertThat(caughtUp).succeedsWithin(java.time.Duration.ofMinutes(1)).isEqualTo(false);
    }

    private void follow() {
        topics.opened(0, Map.of("call",
                new CallIntent("call", "sha256:1", "t__x", 1, "w1", 1, Instant.EPOCH, "member-1", null, null)));
        followed.awaitRead(RESUMED);
    }
}
