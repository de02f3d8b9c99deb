package dev.toolfleet.worker.execute;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import jdk.management.VirtualThreadSchedulerMXBean;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AbandonedHandlersTest {
    private final VirtualThreadSchedulerMXBean scheduler = ManagementFactory
            .getPlatformMXBean(VirtualThreadSchedulerMXBean.class);

    @Test
    void asManyEndlessLoopsAsProcessorsLeaveOtherVirtualThreadsRunning() throws InterruptedException {
        AbandonedHandlers abandoned = new AbandonedHandlers();
        int before = scheduler.getParallelism();
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch spinning = new CountDownLatch(before);
        try {
            for (int i = 0; i < before; i++) {
                Thread.ofVirtual().start(() -> {
                    spinning.countDown();
                    while (!stop.get())
                        Thread.onSpinWait();
                });
            }
            spinning.await();
            for (int i = 0; i < before; i++)
                abandoned.abandoned();

            Thread other = Thread.ofVirtual().start(() -> {});

            assertThat(other.join(Duration.ofSeconds(20))).as("another call got a carrier").isTrue();
            assertThat(scheduler.getParallelism()).isEqualTo(before * 2);
        } finally {
            stop.set(true);
        }
        for (int i = 0; i < before; i++)
            abandoned.ended();
        assertThat(scheduler.getParallelism()).isEqualTo(before);
    }
}
