package dev.toolfleet.worker.override;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.PartitionLoads;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.execute.CancelReplies;
import dev.toolfleet.worker.execute.DeadlineLoop;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.LaneOrders;
import dev.toolfleet.worker.lane.LaneLimits;
import dev.toolfleet.worker.lane.LaneSlot;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// What an operator's order does to a call in each of its stages, whichever came first.
class LaneOrderExecutorTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private final InstantSource clock = InstantSource.system();
    private final LaneOrders orders = new LaneOrders(clock);
    private final List<String> audited = new CopyOnWriteArrayList<>();
    private final DeadlineLoop deadlines = new DeadlineLoop();
    private final LaneOrderExecutor help = new LaneOrderExecutor(orders,
            new CancelReplies(CancelReplies.Source.NONE, new WorkerMeters(new SimpleMeterRegistry())), deadlines,
            Duration.ofMillis(20), (order, call) -> audited.add(order.order() + " " + call.position().offset()));
    private final CompletableFuture<Boolean> decidedWhenInterrupted = new CompletableFuture<>();
    private final List<LaneSlot> started = new ArrayList<>();
    private final Lanes lanes = lanes();
    private final List<ToolReply> ends = new CopyOnWriteArrayList<>();
    private final LaneOverride.End end = new LaneOverride.End() {
        @Override
        public boolean isDecided() {
            return !ends.isEmpty();
        }

        @Override
        public void with(ToolReply reply) {
            ends.add(reply);
        }
    };

    @AfterEach
    void close() {
        deadlines.close();
    }

    @Test
    void aCallThatALayerHoldsIsEndedAndItsHandlerNeverStarts() {
        Identified run = begins(0);
        run.course().letGo(0);

        order(LaneOrder.Order.FAIL, 0);

        await().atMost(SOON).until(() -> !ends.isEmpty());
        assertThat(ends.getFirst()).isInstanceOfSatisfying(ToolReply.Failed.class,
                failed -> assertThat(failed.error().message()).contains("by ada before it started: stuck"));
        assertThat(run.course().hold()).isFalse();
        isInterruptedOnceItHasItsEnd();
    }

    @Test
    void aCallOnTheWayToItsHandlerIsEndedOnlyWhenItComesBack() {
        Identified run = begins(0);
        run.course().letGo(0);
        assertThat(run.course().hold()).isTrue();
        order(LaneOrder.Order.FAIL, 0);
        assertThat(run.course().giveUp()).isNull();

        run.course().letGo(0);

        await().atMost(SOON).until(() -> !ends.isEmpty());
        isInterruptedOnceItHasItsEnd();
    }

    @Test
    void anOrderThatCameFirstIsFoundWhenTheCallBegins() {
        order(LaneOrder.Order.FAIL, 0);
        Identified run = begins(0);
        assertThat(run.course().failed()).isNotNull();
        run.course().letGo(0);

        await().atMost(SOON).until(() -> !ends.isEmpty());
        isInterruptedOnceItHasItsEnd();
    }

    @Test
    void theLaneGoesOnPastACallThatIsSkipped() {
        begins(0);
        offer(1);
        assertThat(started).hasSize(1);

        order(LaneOrder.Order.SKIP, 0);

        assertThat(started).extracting(slot -> slot.arrival().position().offset()).containsExactly(0L, 1L);
        assertThat(started.getFirst().isPassed()).isTrue();
        assertThat(lanes.inFlight()).as("it runs on").isEqualTo(2);
        offer(2);
        assertThat(started).as("the next one holds the lane").hasSize(2);
        started.getFirst().release();
        assertThat(started).as("who was passed lets nobody start").hasSize(2);
        started.get(1).release();
        assertThat(started).hasSize(3);
        started.get(2).release();
        assertThat(lanes.active()).isZero();
        assertThat(lanes.inFlight()).isZero();
    }

    @Test
    void anOrderIsAuditedOnceWhenItIsCarriedOut() {
        order(LaneOrder.Order.SKIP, 0);
        order(LaneOrder.Order.FAIL, 7);
        assertThat(audited).as("nothing runs here").isEmpty();

        begins(0);
        order(LaneOrder.Order.SKIP, 0);
        assertThat(audited).containsExactly("SKIP 0");

        order(LaneOrder.Order.FAIL, 0);
        order(LaneOrder.Order.FAIL, 0);
        assertThat(audited).containsExactly("SKIP 0", "FAIL 0");
    }

    @Test
    void anOrderForAnotherRecordOrInstanceChangesNothing() {
        Identified run = begins(0);
        run.course().letGo(0);

        order(LaneOrder.Order.FAIL, 7);
        apply(new LaneOrder("another", LaneOrder.Order.FAIL, 0, 0, null, null));

        assertThat(run.course().failed()).isNull();
        assertThat(started.getFirst().isPassed()).isFalse();
    }

    private Lanes lanes() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            Ownership ownership = new Ownership(member.groupMetadata());
            ownership.publish(new Ownership.Snapshot(ownership.current().group(), Map.of(0, 1L)));
            Lanes made = new Lanes(new LaneLimits(100, 1 << 20, 100), new PartitionLoads(), ownership, arrival -> false,
                    started::add, Runnable::run);
            orders.tell(help.listener(order -> made.of(order.instanceKey(), 0).stream()
                    .flatMap(lane -> lane.busy().stream())
                    .filter(slot -> slot.arrival().position().offset() == order.callOffset()).toList()));
            return made;
        }
    }

    private void offer(long offset) {
        assertThat(lanes.offer(call(offset))).isTrue();
    }

    /// On a thread of its own, which waits for its interrupt.
    private Identified begins(long offset) {
        offer(offset);
        CompletableFuture<Identified> made = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            made.complete(Identified.of(IdentifiedCall.of(call(offset)), 0));
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                decidedWhenInterrupted.complete(end.isDecided());
            }
        });
        Identified run = made.join();
        help.begins(run, started.getLast(), end);
        return run;
    }

    private void isInterruptedOnceItHasItsEnd() {
        await().atMost(SOON).until(decidedWhenInterrupted::isDone);
        assertThat(decidedWhenInterrupted.join()).isTrue();
    }

    private static Arrival.Call call(long offset) {
        return new Arrival.Call(new Position(0, 1, offset),
                ToolCall.of("c" + offset, "t__run", JsonNodeFactory.instance.objectNode(), "i"), 0, null, 0);
    }

    private void order(LaneOrder.Order order, long offset) {
        apply(new LaneOrder("i", order, 0, offset, "ada", "stuck"));
    }

    private void apply(LaneOrder order) {
        orders.apply(0, order.instanceKey(), WireCodec.of(LaneOrder.class).write(order), clock.millis());
    }
}
