package dev.toolfleet.worker.limit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import dev.toolfleet.bundle.Concurrency;
import dev.toolfleet.bundle.ToolLimits;
import dev.toolfleet.worker.limit.LimitGate.Entry;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/// Slots are never lost and never doubled, whatever comes in whatever order.
class ToolGatePropertyTest {

    /// The test's own state of one call.
    private static final class Known {
        private final Ticket ticket;
        private boolean over;

        Known(Ticket ticket) {
            this.ticket = ticket;
        }

        boolean runs() {
            return !over && !ticket.waits();
        }
    }

    @Property(seed = "27", tries = 200)
    void takenSlotsAreExactlyTheCallsThatRun(@ForAll long seed) {
        Random random = new Random(seed);
        FakeWorker worker = new FakeWorker().with(FakeWorker.concurrent(1 + random.nextInt(4)));
        List<Known> calls = new ArrayList<>();
        for (int step = 0; step < 300; step++) {
            long ranBefore = calls.stream().filter(Known::runs).count();
            switch (random.nextInt(6)) {
                case 0, 1, 2 -> calls.add(new Known(ticket(worker.ask())));
                case 3 -> end(random, calls, true);
                case 4 -> end(random, calls, false);
                default -> {
                    worker.with(FakeWorker.concurrent(1 + random.nextInt(4)));
                    worker.gate.changed();
                }
            }
            int most = worker.limits.maxConcurrent().orElseThrow().on(1);
            long run = calls.stream().filter(Known::runs).count();
            long wait = calls.stream().filter(call -> !call.over && call.ticket.waits()).count();
            assertThat(worker.gate.slots()).isEqualTo((int) run);
            assertThat(worker.gate.queue()).isEqualTo((int) wait);
            assertThat(run).isLessThanOrEqualTo(Math.max(most, ranBefore));
            if (run < most)
                assertThat(wait).as("nobody waits beside a free slot").isZero();
            assertInOrder(calls);
        }
        calls.forEach(call -> call.ticket.close());
        assertThat(worker.gate.slots()).isZero();
    }

    /// Asserts that waiting calls came after all running ones.
    private static void assertInOrder(List<Known> calls) {
        boolean waits = false;
        for (Known call : calls) {
            if (call.over)
                continue;
            waits |= call.ticket.waits();
            assertThat(waits && call.runs()).isFalse();
        }
    }

    /// Ends a call that runs, or has one that waits give up; perhaps one that is over once more.
    private static void end(Random random, List<Known> calls, boolean running) {
        List<Known> some = calls.stream().filter(call -> call.over || call.runs() == running).toList();
        if (some.isEmpty())
            return;
        Known call = some.get(random.nextInt(some.size()));
        call.over = true;
        if (running) {
            call.ticket.close();
        } else {
            call.ticket.giveUp();
        }
    }

    private static Ticket ticket(Entry entry) {
        return switch (entry) {
            case Entry.Queued(LimitGate.Turn turn) -> (Ticket) turn;
            case Entry.Admitted(Permit permit) -> (Ticket) permit;
            case Entry.Refused(var error) -> throw new AssertionError(error);
        };
    }

    @Property(seed = "28", tries = 10)
    void interruptsAndNewLimitsBetweenThreadsLoseNoSlot(@ForAll long seed) throws Exception {
        Random random = new Random(seed);
        FakeWorker worker = new FakeWorker().with(FakeWorker.concurrent(3));
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < 200; n++)
            threads.add(Thread.ofVirtual().start(() -> pass(worker, running, most)));
        for (int n = 0; n < 100; n++) {
            threads.get(random.nextInt(threads.size())).interrupt();
            worker.with(FakeWorker.concurrent(1 + random.nextInt(5)));
            worker.gate.changed();
        }
        for (Thread thread : threads)
            thread.join(Duration.ofMinutes(1));

        assertThat(threads).noneMatch(Thread::isAlive);
        assertThat(most.get()).isBetween(1, 5);
        assertThat(worker.gate.slots()).isZero();
        assertThat(worker.gate.queue()).isZero();
    }

    private static void pass(FakeWorker worker, AtomicInteger running, AtomicInteger most) {
        Permit permit = permit(worker.ask());
        if (permit == null)
            return;
        try (permit) {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            // Lets others run beside it.
            LockSupport.parkNanos(1);
            running.decrementAndGet();
        }
    }

    private static @Nullable Permit permit(Entry entry) {
        return switch (entry) {
            case Entry.Admitted(Permit permit) -> permit;
            case Entry.Refused(var error) -> throw new AssertionError(error);
            case Entry.Queued(LimitGate.Turn turn) -> {
                try {
                    yield permit(turn.await());
                } catch (InterruptedException e) {
                    turn.giveUp();
                    yield null;
                }
            }
        };
    }

    @Property(seed = "29", tries = 100)
    void inNoSecondMoreCallsStartThanTheRateSays(@ForAll long seed,
            @ForAll @IntRange(min = 1, max = 20) int perSecond) {
        Random random = new Random(seed);
        FakeWorker worker = new FakeWorker().with(FakeWorker.rate(perSecond));
        List<Long> starts = new ArrayList<>();
        Queue<Ticket> waiting = new ArrayDeque<>();
        for (int step = 0; step < 400; step++) {
            worker.pass(Duration.ofMillis(random.nextInt(120)));
            worker.gate.changed();
            while (!waiting.isEmpty() && !waiting.element().waits()) {
                waiting.remove();
                starts.add(worker.nanos());
            }
            Entry entry = worker.ask();
            if (entry instanceof Entry.Queued(LimitGate.Turn turn)) {
                waiting.add((Ticket) turn);
            } else if (entry instanceof Entry.Admitted) {
                starts.add(worker.nanos());
            }
        }

        for (int i = 0; i + perSecond < starts.size(); i++)
            assertThat(starts.get(i + perSecond) - starts.get(i)).isGreaterThanOrEqualTo(1_000_000_000L);
    }

    @Property(seed = "30", tries = 100)
    void aRateBelowOneIsKeptToo(@ForAll @DoubleRange(min = 0.01, max = 0.99) double perSecond) {
        StartRate rate = StartRate.of(perSecond, null);
        rate.started(0);

        assertThat(rate.earliest(0, 1)).isEqualTo((long) (1_000_000_000 / perSecond));
        assertThat(StartRate.of(perSecond * 2, rate).earliest(0, 1)).as("a start counts for the next rate too")
                .isGreaterThan(1);
    }

    @Property(seed = "31", tries = 20)
    void limitsMayComeTogether(@ForAll @IntRange(min = 1, max = 3) int most) {
        FakeWorker worker = new FakeWorker().with(new ToolLimits(Optional.of(new Concurrency.Fixed(most)),
                OptionalDouble.of(2), Optional.empty(), false));

        List<Entry> entries = List.of(worker.ask(), worker.ask(), worker.ask(), worker.ask());

        assertThat(entries.stream().filter(Entry.Admitted.class::isInstance).count()).isEqualTo(Math.min(most, 2));
    }
}
