package dev.toolfleet.worker.execute;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DeadlineLoopTest {
    private final DeadlineLoop deadlines = new DeadlineLoop();

    @AfterEach
    void close() {
        deadlines.close();
    }

    @Test
    void aNearerDeadlineWakesTheSleepingThread() throws InterruptedException {
        CountDownLatch near = new CountDownLatch(1);
        CountDownLatch far = new CountDownLatch(1);
        var _ = deadlines.after(Duration.ofHours(1), far::countDown);
        var _ = deadlines.after(Duration.ofMillis(5), near::countDown);

        near.await();

        assertThat(far.getCount()).isEqualTo(1);
    }

    @Test
    void whatIsTakenBackDoesNotRing() throws InterruptedException {
        AtomicInteger rung = new AtomicInteger();
        CountDownLatch later = new CountDownLatch(1);
        // On the loop's own thread, so that nothing rings in between.
        var _ = deadlines.after(Duration.ZERO, () -> {
            DeadlineLoop.Alarm alarm = deadlines.after(Duration.ZERO, rung::incrementAndGet);
            alarm.cancel();
            alarm.cancel();
            var _ = deadlines.after(Duration.ofMillis(5), later::countDown);
        });
        later.await();

        assertThat(rung).hasValue(0);
    }

    @Test
    void anActionThatFailsHoldsUpNoOther() throws InterruptedException {
        CountDownLatch other = new CountDownLatch(1);
        var _ = deadlines.after(Duration.ZERO, () -> {
            throw new IllegalStateException("on purpose");
        });
        var _ = deadlines.after(Duration.ofMillis(5), other::countDown);

        other.await();
    }

    @Test
    void anErrorEndsNoOther() throws InterruptedException {
        CountDownLatch other = new CountDownLatch(1);
        var _ = deadlines.after(Duration.ZERO, () -> {
            throw new StackOverflowError("on purpose");
        });
        var _ = deadlines.after(Duration.ofMillis(5), other::countDown);

        other.await();
    }

    @Test
    void anActionMaySetTheNext() throws InterruptedException {
        CountDownLatch second = new CountDownLatch(1);
        var _ = deadlines.after(Duration.ofMillis(1), () -> {
            var _ = deadlines.after(Duration.ofMillis(1), second::countDown);
        });

        second.await();
    }

    /// Deadlines are set while the thread looks through the others, goes to sleep, and wakes.
    @Test
    void everyDeadlineRingsOnceHoweverManyAreSetAtOnce() throws Exception {
        int threads = 4;
        int each = 2_000;
        CountDownLatch all = new CountDownLatch(threads * each);
        AtomicInteger tooOften = new AtomicInteger();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int seed = thread;
                done.add(pool.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        AtomicInteger rung = new AtomicInteger();
                        var _ = deadlines.after(Duration.ofNanos((seed + 7L * i) % 11 * 400_000), () -> {
                            if (rung.incrementAndGet() > 1)
                                tooOften.incrementAndGet();
                            all.countDown();
                        });
                    }
                }));
            }
            for (var future : done)
                future.get();
        }

        all.await();
        assertThat(tooOften).hasValue(0);
    }

    /// A call that has ended, with its arguments and its module's classes.
    @Test
    void whatWasTakenBackIsLetGoWhileTheThreadSleeps() throws InterruptedException {
        List<WeakReference<AtomicInteger>> calls = takenBack(50);

        await().atMost(Duration.ofMinutes(1)).until(() -> {
            System.gc();
            return calls.stream().allMatch(call -> call.get() == null);
        });
    }

    private List<WeakReference<AtomicInteger>> takenBack(int count) throws InterruptedException {
        List<WeakReference<AtomicInteger>> calls = new ArrayList<>();
        List<DeadlineLoop.Alarm> alarms = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            AtomicInteger call = new AtomicInteger();
            calls.add(new WeakReference<>(call));
            alarms.add(deadlines.after(Duration.ofHours(1), call::incrementAndGet));
        }
        CountDownLatch seen = new CountDownLatch(1);
        var _ = deadlines.after(Duration.ofMillis(5), seen::countDown);
        seen.await();
        alarms.forEach(DeadlineLoop.Alarm::cancel);
        return calls;
    }
}
