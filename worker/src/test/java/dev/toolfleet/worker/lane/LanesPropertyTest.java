package dev.toolfleet.worker.lane;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.identity.Arrival;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.clients.consumer.MockConsumer;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

/// Calls end on threads of their own, in an order that a seed decides, while the test's thread offers more.
class LanesPropertyTest {
    private static final int CALLS = 400;

    /// Running calls of one instance, watched from inside its calls.
    private static final class Watch {
        private final AtomicInteger readers = new AtomicInteger();
        private final AtomicInteger writers = new AtomicInteger();
        private long lastStarted = -1;

        synchronized List<String> enter(long offset, boolean readOnly) {
            List<String> wrong = new ArrayList<>();
            if (!readOnly && offset < lastStarted)
                wrong.add(offset + " started after " + lastStarted);
            lastStarted = Math.max(lastStarted, offset);
            int reading = readOnly ? readers.incrementAndGet() : readers.get();
            int writing = readOnly ? writers.get() : writers.incrementAndGet();
            if (writing > 1 || (writing == 1 && reading > 0))
                wrong.add(offset + " ran beside others: " + writing + " exclusive, " + reading + " read-only");
            return wrong;
        }

        synchronized void leave(boolean readOnly) {
            (readOnly ? readers : writers).decrementAndGet();
        }
    }

    @Property(seed = "819", tries = 25)
    void orderExclusionAndBoundsHoldWhateverEndsWhen(@ForAll long seed,
            @ForAll @IntRange(min = 1, max = 6) int instances,
            @ForAll @IntRange(min = 1, max = 30) int maxInFlight, @ForAll @IntRange(min = 1, max = 8) int maxQueued)
            throws Exception {
        Random random = new Random(seed);
        Ownership ownership = owning();
        Map<String, Watch> watches = new ConcurrentHashMap<>();
        List<String> wrong = new java.util.concurrent.CopyOnWriteArrayList<>();
        BlockingQueue<CountDownLatch> ends = new LinkedBlockingQueue<>();
        AtomicInteger running = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(CALLS);
        Lanes lanes = new Lanes(new LaneLimits(maxInFlight, 1 << 20, maxQueued), ownership, LanesPropertyTest::readOnly,
                slot -> {
                    Watch watch = watches.computeIfAbsent(slot.arrival().instanceKey(), key -> new Watch());
                    boolean readOnly = readOnly(slot.arrival());
                    wrong.addAll(watch.enter(slot.arrival().position().offset(), readOnly));
                    if (running.incrementAndGet() > maxInFlight)
                        wrong.add("more than " + maxInFlight + " ran");
                    CountDownLatch end = new CountDownLatch(1);
                    ends.add(end);
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        wrong.add("interrupted");
                    }
                    running.decrementAndGet();
                    watch.leave(readOnly);
                    slot.release();
                    all.countDown();
                });

        AtomicBoolean over = new AtomicBoolean();
        Thread watch = Thread.ofPlatform().daemon().start(() -> {
            while (!over.get()) {
                int seen = lanes.inFlight();
                if (seen > maxInFlight)
                    wrong.add(seen + " seen in flight");
            }
        });
        for (int offset = 0; offset < CALLS; offset++) {
            Arrival arrival = arrival(offset, "i" + random.nextInt(instances), random.nextBoolean());
            while (!lanes.offer(arrival))
                endOne(ends, random);
            assertThat(lanes.inFlight()).isLessThanOrEqualTo(maxInFlight);
            if (random.nextInt(3) == 0)
                endSome(ends, random);
        }
        while (all.getCount() > 0)
            endOne(ends, random);

        assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
        over.set(true);
        watch.join();
        assertThat(wrong).isEmpty();
        assertThat(lanes.inFlight()).isZero();
        assertThat(lanes.active()).isZero();
    }

    /// Waits briefly for a call to end: none may run yet.
    private static void endOne(BlockingQueue<CountDownLatch> ends, Random random) throws InterruptedException {
        CountDownLatch end = ends.poll(5, TimeUnit.MILLISECONDS);
        if (end == null)
            return;
        endSome(ends, random);
        end.countDown();
    }

    /// Ends some of the running calls, in any order.
    private static void endSome(BlockingQueue<CountDownLatch> ends, Random random) {
        List<CountDownLatch> running = new ArrayList<>();
        ends.drainTo(running);
        java.util.Collections.shuffle(running, random);
        for (CountDownLatch end : running) {
            if (random.nextBoolean()) {
                end.countDown();
            } else {
                ends.add(end);
            }
        }
    }

    private static boolean readOnly(Arrival arrival) {
        return arrival instanceof Arrival.Call call && call.call().name().equals("read");
    }

    private static Arrival arrival(long offset, String instance, boolean readOnly) {
        return new Arrival.Call(new Position(partition(instance), 1, offset),
                ToolCall.of("c" + offset, readOnly ? "read" : "write",
                        JsonNodeFactory.instance.objectNode(), instance),
                0, null, 1);
    }

    private static int partition(String instance) {
        return Math.floorMod(instance.hashCode(), 3);
    }

    private static Ownership owning() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            Ownership ownership = new Ownership(member.groupMetadata());
            ownership.publish(new Ownership.Snapshot(member.groupMetadata(), Map.of(0, 1L, 1, 1L, 2, 1L)));
            return ownership;
        }
    }
}
