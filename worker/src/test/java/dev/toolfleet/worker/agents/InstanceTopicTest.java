package dev.toolfleet.worker.agents;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.worker.state.FakeOffsets;
import dev.toolfleet.worker.state.FakeOffsets.Log;
import dev.toolfleet.worker.state.FollowedTopics;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class InstanceTopicTest {
    private static final AgentAddress INSTANCE = new AgentAddress("coder", "telegram:1/a");
    private static final List<TopicPartition> PARTITIONS = IntStream.range(0, 3)
            .mapToObj(number -> new TopicPartition("agent.instance", number)).toList();

    /// Knows no partition until a test puts it there.
    private final FakeOffsets broker = new FakeOffsets();
    private final FollowedTopics followed = new FollowedTopics(PARTITIONS.toArray(TopicPartition[]::new));
    private final InstanceTopic topic = new InstanceTopic(PARTITIONS, followed.follower(), broker.offsets());

    @Test
    void oneInstanceNeedsItsOwnPartitionAlone() throws Exception {
        TopicPartition own = followedAll();
        broker.put(own, new Log(0, 1, 1));
        followed.add(own, 0, "coder/telegram:1/a", new byte[0]);
        await().atMost(Duration.ofMinutes(1)).until(() -> followed.follower().read() == 1);

        assertThat(topic.caughtUp(INSTANCE)).isTrue();
        assertThatThrownBy(topic::caughtUp).as("all instances need all").isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aPartitionThatWasNeverReadIsNeededByEveryInstance() {
        broker.put(topic.partition(INSTANCE), new Log(0, 0, 0));

        assertThatThrownBy(() -> topic.caughtUp(INSTANCE)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot be read now");
    }

    @Test
    void anInstanceLiesWhereJavasProducersPutItsKey() {
        for (int i = 0; i < 100; i++) {
            AgentAddress instance = new AgentAddress("coder", "telegram:" + i + "/a");
            byte[] key = ("coder/telegram:" + i + "/a").getBytes(UTF_8);

            assertThat(topic.partition(instance).partition())
                    .isEqualTo(BuiltInPartitioner.partitionForKey(key, PARTITIONS.size()));
        }
    }

    private TopicPartition followedAll() throws Exception {
        for (CompletableFuture<Void> read : topic.follow(new AgentInstances()))
            read.get(60, TimeUnit.SECONDS);
        return topic.partition(INSTANCE);
    }

    @AfterEach
    void close() {
        followed.close();
    }
}
