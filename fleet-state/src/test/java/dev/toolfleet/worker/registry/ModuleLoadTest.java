package dev.toolfleet.worker.registry;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ModuleLoadTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final List<String> closed = new CopyOnWriteArrayList<>();
    private final AtomicInteger changes = new AtomicInteger();

    @Test
    void itIsLoadedOnAThreadOfItsOwn() {
        ModuleLoad<String> load = load(() -> Thread.currentThread().getName(), new ModuleThreads(LONG));
        assertThat(load.isSettled()).isFalse();
        load.begin();

        await().until(load::isSettled);
        assertThat(load.module()).isEqualTo("module-load-acme/t");
        assertThat(load.problem()).isNull();
        await().until(() -> changes.get() == 1);
    }

    @Test
    void whateverItThrowsItHasFailedAlsoIfTheReasonThrows() {
        ModuleLoad<String> load = load(() -> {
            throw new Evil();
        }, new ModuleThreads(LONG));
        load.begin();

        await().until(load::isSettled);
        assertThat(load.problem()).contains("Evil");
        assertThat(load.isReusable()).isFalse();
    }

    private static final class Evil extends Error {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no words");
        }
    }

    @Test
    void aThreadThatCannotBeStartedIsAFailureAndIsTriedAgain() {
        AtomicInteger left = new AtomicInteger(1);
        ModuleLoad<String> load = load(() -> "m", new ModuleThreads(LONG, code -> new Thread(code) {
            @Override
            public void start() {
                if (left.getAndDecrement() > 0)
                    throw new OutOfMemoryError("unable to create native thread");
                super.start();
            }
        }));
        load.begin();
        assertThat(load.problem()).contains("native thread");

        load.begin();
        await().until(() -> load.module() != null);
        assertThat(load.problem()).isNull();
    }

    @Test
    void whatIsDroppedAsItLoadsIsInterruptedAndClosed() {
        CountDownLatch loading = new CountDownLatch(1);
        ModuleLoad<String> load = load(() -> {
            loading.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                // It loads all the same.
            }
            return "m";
        }, new ModuleThreads(LONG));
        load.begin();
        await().until(() -> loading.getCount() == 0);
        load.drop();

        await().untilAsserted(() -> assertThat(closed).containsExactly("m"));
        assertThat(load.module()).isNull();
        load.begin();
        assertThat(loading.getCount()).isZero();
    }

    // A call found nothing in the view before, and did not look again.
    @Test
    void whatWasLoadedIsFoundAfterItWasDroppedAndClosedOnce() {
        ModuleLoad<String> load = load(() -> "m", new ModuleThreads(LONG));
        load.begin();
        await().until(load::isSettled);
        load.drop();
        load.drop();

        assertThat(load.module()).isEqualTo("m");
        assertThat(closed).containsExactly("m");
    }

    @Test
    void aLoadThatHangsForTenLimitsIsInterruptedSoThatItIsTriedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        ModuleLoad<String> load = load(() -> {
            if (attempts.getAndIncrement() == 0)
                new CountDownLatch(1).await();
            return "m";
        }, new ModuleThreads(Duration.ofMillis(20)));
        load.begin();

        await().until(() -> requireNonNull(load.problem(), "").contains("Interrupted"));
        load.begin();
        await().until(() -> load.module() != null);
        assertThat(attempts).hasValue(2);
    }

    @Test
    void aModuleThatHangsInEachRevisionKeepsFewThreads() {
        ModuleThreads threads = new ModuleThreads(LONG);
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        for (int revision = 0; revision < ModuleThreads.MOST; revision++) {
            load(() -> {
                begun.incrementAndGet();
                never.await();
                return "m";
            }, threads).begin();
        }
        await().until(() -> begun.get() == ModuleThreads.MOST);
        ModuleLoad<String> another = load(() -> "m", threads);
        another.begin();
        assertThat(another.problem()).contains("earlier loads of it have not returned");

        never.countDown();
        await().until(() -> {
            another.begin();
            return another.module() != null;
        });
    }

    @Test
    void theEndWaitsForModulesThatClose() throws Exception {
        ModuleThreads threads = new ModuleThreads(LONG);
        CountDownLatch close = new CountDownLatch(1);
        threads.close("acme/t", () -> {
            try {
                close.await();
                closed.add("m");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        threads.awaitClosed(Duration.ZERO);
        assertThat(closed).isEmpty();
        close.countDown();
        threads.awaitClosed(LONG);
        assertThat(closed).containsExactly("m");
    }

    private ModuleLoad<String> load(Callable<String> code, ModuleThreads threads) {
        return new ModuleLoad<>("acme/t", code, closed::add, threads, changes::incrementAndGet);
    }
}
