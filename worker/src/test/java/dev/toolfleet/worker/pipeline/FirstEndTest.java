package dev.toolfleet.worker.pipeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.lane.LaneLimits;
import dev.toolfleet.worker.lane.LaneSlot;
import dev.toolfleet.worker.lane.Lanes;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FirstEndTest {
    private static final Position POSITION = new Position(0, 1, 42);
    private static final Outcome FIRST = new Outcome(POSITION, List.of());

    private final BlockingQueue<LaneSlot> started = new LinkedBlockingQueue<>();
    private final Lanes lanes = new Lanes(new LaneLimits(10, 1000, 10), owning(), arrival -> false, started::add);
    private final List<String> seen = new ArrayList<>();

    @Test
    void aCallIsPublishedOnceAndItsLaneGoesOnAfterwards() throws Exception {
        FirstEnd fate = new FirstEnd(slot(), outcome -> seen.add("published with " + lanes.inFlight() + " in flight"));

        assertThat(fate.publish(() -> FIRST)).isTrue();
        assertThat(fate.publish(() -> FIRST)).isFalse();
        fate.leave();

        assertThat(seen).containsExactly("published with 1 in flight");
        assertThat(lanes.inFlight()).isZero();
    }

    @Test
    void aCallThatIsLeftIsNotPublished() throws Exception {
        FirstEnd fate = new FirstEnd(slot(), outcome -> seen.add("published"));

        fate.leave();

        assertThat(fate.publish(() -> FIRST)).isFalse();
        assertThat(seen).isEmpty();
        assertThat(lanes.inFlight()).isZero();
    }

    /// A fate that were decided without an outcome would hold the partition's frontier for ever.
    @Test
    void anOutcomeThatCannotBeMadeDecidesNothing() throws Exception {
        FirstEnd fate = new FirstEnd(slot(), outcome -> seen.add("published"));

        assertThatThrownBy(() -> fate.publish(() -> {
            throw new IllegalStateException("not encodable");
        })).hasMessage("not encodable");
        assertThat(lanes.inFlight()).isEqualTo(1);

        assertThat(fate.publish(() -> FIRST)).isTrue();
        assertThat(seen).containsExactly("published");
    }

    @Test
    void aThreadThatLostItsCallWaitsForTheEndThatAnotherGivesIt() throws Exception {
        Outcome timeout = new Outcome(POSITION, List.of());
        List<Outcome> published = new ArrayList<>();
        CountDownLatch waits = new CountDownLatch(1);
        FirstEnd fate = new FirstEnd(slot(), published::add);
        Thread own = Thread.ofVirtual().start(() -> {
            waits.countDown();
            fate.await(Duration.ofMinutes(1));
            fate.publish(() -> FIRST);
        });
        waits.await();

        assertThat(fate.publish(() -> timeout)).isTrue();
        own.join();

        assertThat(published).hasSize(1).allMatch(outcome -> outcome == timeout);
    }

    @Test
    void aCallWhoseEndDoesNotComeIsEndedByItsOwnThread() throws Exception {
        FirstEnd fate = new FirstEnd(slot(), outcome -> seen.add("published"));

        fate.await(Duration.ofMillis(5));

        assertThat(fate.publish(() -> FIRST)).isTrue();
    }

    private LaneSlot slot() throws InterruptedException {
        lanes.offer(new Arrival.Call(POSITION, ToolCall.of("c", "t__x", JsonNodeFactory.instance.objectNode(), "i"), 0,
                null, 1));
        return requireNonNull(started.poll(60, TimeUnit.SECONDS));
    }

    private static Ownership owning() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            Ownership ownership = new Ownership(member.groupMetadata());
            ownership.publish(new Ownership.Snapshot(member.groupMetadata(), Map.of(0, 1L)));
            return ownership;
        }
    }
}
