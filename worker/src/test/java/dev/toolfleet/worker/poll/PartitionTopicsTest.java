package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.catalog.StepCatalogs;
import dev.toolfleet.worker.identity.HandOvers;
import dev.toolfleet.worker.state.ChangeSignal;
import dev.toolfleet.worker.state.FollowedTopics;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class PartitionTopicsTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final TopicPartition STEPS = new TopicPartition("v2.tool.catalog.step", 3);
    private static final TopicPartition RESUMED = new TopicPartition("v2.tool.call.resumed", 3);

    private final FollowedTopics followed = new FollowedTopics(STEPS, RESUMED);
    private final HandOvers handOvers = new HandOvers();
    private final PartitionTopics topics = new PartitionTopics(new Topics("v2."), followed.follower(),
            new StepCatalogs(new ChangeSignal()), handOvers);

    @AfterEach
    void close() {
        followed.close();
    }

    @Test
    void theNamesOfTopicsHaveTheFleetsPrefix() {
        assertThat(topics.on(Topic.CALL_RESUMED, 3)).isEqualTo(RESUMED);
    }

    @Test
    void aTakeOverFollowsTheStepCatalogsFromTheBeginning() {
        topics.assigned(3);

        followed.awaitRead(STEPS);
        assertThat(followed.since).isEmpty();
        assertThat(followed.read()).containsExactly(STEPS);
    }

    @Test
    void aPartitionWithoutOpenIntentsFollowsNoHandOvers() throws Exception {
        topics.assigned(3);
        topics.opened(3, Map.of());

        followed.follower().catchUp(STEPS).get(60, TimeUnit.SECONDS);
        assertThat(followed.read()).containsExactly(STEPS);
    }

    @Test
    void handOversAreReadFromAMinuteBeforeTheFirstOpenIntent() {
        topics.opened(3, Map.of("late", intent("late", NOON.plusSeconds(30)), "early", intent("early", NOON)));

        followed.awaitRead(RESUMED);
        assertThat(followed.since).containsEntry(RESUMED, NOON.minus(Duration.ofMinutes(1)).toEpochMilli());
    }

    // The broker's clock appends the calls and what is handed over.
    @Test
    void theClockOfTheWorkerThatBeganMayBeAhead() {
        Instant ahead = NOON.plusSeconds(3600);
        topics.opened(3, Map.of("call", new CallIntent("call", "sha256:1", "t__x", 1, "w1", 1, ahead, "member-1",
                ahead.plusSeconds(30), null, null, NOON, null, null)));

        followed.awaitRead(RESUMED);
        assertThat(followed.since).containsEntry(RESUMED, NOON.minus(Duration.ofMinutes(1)).toEpochMilli());
    }

    @Test
    void aClockThatStandsAtTheBeginningOfTimeReadsFromThere() {
        topics.opened(3, Map.of("call", intent("call", Instant.EPOCH)));

        followed.awaitRead(RESUMED);
        assertThat(followed.since).containsEntry(RESUMED, 0L);
    }

    @Test
    void whatIsHandedOverOfAnOpenIntentIsKeptUntilTheAssignmentEnds() {
        topics.assigned(3);
        topics.opened(3, Map.of("call", intent("call", NOON)));
        followed.add(RESUMED, 0, "i", handedOver("call"));
        await().atMost(Duration.ofMinutes(1)).until(() -> handOvers.of(3, "call") != null);

        topics.closed(3);

        assertThat(handOvers.of(3, "call")).isNull();
        await().atMost(Duration.ofMinutes(1)).until(() -> followed.read().isEmpty());
    }

    private static CallIntent intent(String identity, Instant startedAt) {
        return new CallIntent(identity, "sha256:1", "t__x", 1, "w1", 1, startedAt, "member-1", null, null);
    }

    static byte[] handedOver(String identity) {
        ToolCall call = ToolCall.of("c", "t__x", JsonNodeFactory.instance.objectNode(), "i");
        return WireCodec.of(ResumedCall.class).write(ResumedCall.handedOver(call, 4,
                new HandOver(identity, "member-1", 1, 1, null, null, null)));
    }
}
