package dev.toolfleet.worker.poll;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.worker.identity.DedupeConfig;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class TakeOverPoolTest {
    private final List<Long> delays = new CopyOnWriteArrayList<>();

    /// Notes each delay and waits for none.
    private final class Hurried extends ScheduledThreadPoolExecutor {
        Hurried() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
            delays.add(unit.toMillis(delay));
            return super.schedule(work, 0, unit);
        }
    }

    private static TakeOver takeOver(TakeOver.Sources sources) {
        return new TakeOver(sources, new DedupeConfig(Duration.ofMinutes(1), 10),
                (partition, frontier) -> {
                    throw new IllegalStateException("nothing is committed");
                }, System::nanoTime);
    }

    private void failing(int times, double chance) {
        TakeOver.Sources unreadable = (TakeOver.Sources) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[]{TakeOver.Sources.class}, (_, _, _) -> {
                    throw new TimeoutException("not stable");
                });
        try (TakeOverPool pool = new TakeOverPool(takeOver(unreadable), _ -> {}, (_, _, _) -> {}, new Hurried(),
                () -> chance)) {
            pool.begin(0, 1);
            await().atMost(Duration.ofMinutes(1)).until(() -> delays.size() > times);
            pool.cancel(0, 1);
        }
    }

    @Test
    void aTakeOverThatFailsIsTriedAgainLaterEachTime() {
        failing(9, 1);

        assertThat(delays).startsWith(0L, 50L, 100L, 200L, 400L, 800L, 1_600L, 3_200L, 5_000L, 5_000L);
    }

    /// As many as work side by side, and one more.
    @Test
    void partitionsThatDoNotAnswerHoldUpNoOther() {
        CountDownLatch end = new CountDownLatch(1);
        List<Integer> asked = new CopyOnWriteArrayList<>();
        TakeOver.Sources sources = (TakeOver.Sources) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[]{TakeOver.Sources.class}, (_, _, args) -> {
                    asked.add((Integer) args[0]);
                    if ((int) args[0] < 5)
                        end.await();
                    throw new TimeoutException("nobody leads it");
                });
        try (TakeOverPool pool = new TakeOverPool(takeOver(sources), _ -> {}, (_, _, _) -> {}, 6)) {
            for (int partition = 0; partition < 6; partition++)
                pool.begin(partition, 1);

            await().atMost(Duration.ofMinutes(1)).until(() -> asked.contains(5));
        } finally {
            end.countDown();
        }
    }

    @Test
    void workersThatFailTogetherDoNotTryAgainTogether() {
        failing(5, 0);

        assertThat(delays).startsWith(0L, 25L, 50L, 100L, 200L, 400L);
    }
}
