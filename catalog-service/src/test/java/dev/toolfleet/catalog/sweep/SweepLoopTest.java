package dev.toolfleet.catalog.sweep;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SweepLoopTest {
    private static final Duration BRIEF = Duration.ofMillis(10);

    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicBoolean mine = new AtomicBoolean();

    @Test
    void onlyTheOneWhoseTurnItIsSweeps() {
        try (SweepLoop loop = new SweepLoop(this::look, () -> {
            rounds.incrementAndGet();
            return Set.of("sha256:a");
        }, BRIEF, BRIEF)) {
            loop.start();
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> looks.get() > 3);
            assertThat(rounds).hasValue(0);

            mine.set(true);
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> rounds.get() > 3);
        }
    }

    @Test
    void aRoundThatFailsIsFollowedByAnother() {
        mine.set(true);
        try (SweepLoop loop = new SweepLoop(this::look, () -> {
            rounds.incrementAndGet();
            throw new IllegalStateException("test: no broker");
        }, BRIEF, BRIEF)) {
            loop.start();
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> rounds.get() > 2);
        }
    }

    @Test
    void betweenTwoRoundsIsTheInterval() {
        mine.set(true);
        try (SweepLoop loop = new SweepLoop(this::look, () -> {
            rounds.incrementAndGet();
            return Set.of();
        }, BRIEF, Duration.ofDays(1))) {
            loop.start();
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> rounds.get() == 1);
            int looked = looks.get();
            assertThat(looked).isEqualTo(1);
        }
        assertThat(rounds).hasValue(1);
    }

    @Test
    void closingEndsARoundThatIsUnderWay() {
        mine.set(true);
        AtomicBoolean interrupted = new AtomicBoolean();
        SweepLoop loop = new SweepLoop(this::look, () -> {
            rounds.incrementAndGet();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.set(true);
                Thread.currentThread().interrupt();
            }
            return Set.of();
        }, BRIEF, BRIEF);
        loop.start();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> rounds.get() == 1);
        loop.close();

        assertThat(interrupted).isTrue();
        assertThat(rounds).hasValue(1);
        loop.start();
        assertThat(rounds).hasValue(1);
    }

    @Test
    void aQuarterOfTheRetentionIsBetweenRoundsAndAtMostSixHours() {
        assertThat(SweepLoop.interval(Duration.ofHours(4))).isEqualTo(Duration.ofHours(1));
        assertThat(SweepLoop.interval(Duration.ofDays(7))).isEqualTo(Duration.ofHours(6));
    }

    private boolean look() {
        looks.incrementAndGet();
        return mine.get();
    }
}
