package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HousekeepingTest {
    @Test
    void workThatFailsIsDoneAgain() throws Exception {
        CountDownLatch runs = new CountDownLatch(3);
        try (Housekeeping housekeeping = new Housekeeping(() -> {
            runs.countDown();
            throw new IllegalStateException("the disk is gone");
        }, Duration.ZERO, Duration.ofMillis(20))) {
            housekeeping.start();

            assertThat(runs.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
