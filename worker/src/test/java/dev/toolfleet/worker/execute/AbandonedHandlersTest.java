package dev.toolfleet.worker.execute;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

@Isolated("takes carriers of virtual threads from this JVM")
class AbandonedHandlersTest {
    private static final Duration AGE = Duration.ofSeconds(32);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int CALM = Math.max(CarrierThreads.SPREAD, Runtime.getRuntime().availableProcessors());

    private final VirtualThreadSchedulerMXBean scheduler = ManagementFactory
            .getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    private final AbandonedHandlers abandoned = new AbandonedHandlers(new WorkerMeters(new SimpleMeterRegistry()));
    private final ToolCall call = ToolCall.of("c1", "t__run", JsonNodeFactory.instance.objectNode(), "i");

    @Test
    void asManyHandlersThatComputeAsThereAreCarriersHoldNobodyUp() throws InterruptedException {
        // Another test of this JVM may have had more taken.
        try (Spinners _ = new Spinners(Math.min(scheduler.getParallelism(), CarrierThreads.SPREAD - 1))) {
            Thread other = Thread.ofVirtual().start(() -> {});

            assertThat(other.join(PATIENCE)).as("another call got a carrier").isTrue();
            assertThat(scheduler.getParallelism()).isGreaterThanOrEqualTo(CarrierThreads.SPREAD);
        }
    }

    @Test
    void eachEndlessLoopThatIsAbandonedLeavesItsCarrierToAnother() throws InterruptedException {
        try (Spinners spinners = new Spinners(CarrierThreads.SPREAD)) {
            for (int i = 0; i < CarrierThreads.SPREAD; i++)
                abandoned.abandoned(call, AGE);

            Thread other = Thread.ofVirtual().start(() -> {});

            assertThat(other.join(PATIENCE)).as("another call got a carrier").isTrue();
            assertThat(scheduler.getParallelism()).isGreaterThan(CarrierThreads.SPREAD);
            assertThat(abandoned.running()).isEqualTo(CarrierThreads.SPREAD);
            assertThat(spinners.count()).isEqualTo(CarrierThreads.SPREAD);
        }
        for (int i = 0; i < CarrierThreads.SPREAD; i++)
            abandoned.ended(call, AGE);
        assertThat(scheduler.getParallelism()).isLessThanOrEqualTo(CALM);
        assertThat(abandoned.running()).isZero();
    }

    /// Virtual threads that compute until they are told to end; all have a carrier once this is made.
    private static final class Spinners implements AutoCloseable {
        private final AtomicBoolean stop = new AtomicBoolean();
        private final AtomicInteger spinning = new AtomicInteger();

        Spinners(int count) throws InterruptedException {
            CountDownLatch begun = new CountDownLatch(count);
            for (int i = 0; i < count; i++) {
                Thread.ofVirtual().start(() -> {
                    spinning.incrementAndGet();
                    begun.countDown();
                    while (!stop.get())
                        Thread.onSpinWait();
                });
            }
            assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("all have a carrier").isTrue();
        }

        int count() {
            return spinning.get();
        }

        @Override
        public void close() {
            stop.set(true);
        }
    }

    @Test
    void moreAbandonedHandlersThanTheJvmTakesCarriersAreSurvived() {
        for (int i = 0; i < 400; i++)
            abandoned.abandoned(call, AGE);
        assertThat(abandoned.running()).isEqualTo(400);
        assertThat(scheduler.getParallelism()).isEqualTo(256);

        for (int i = 0; i < 400; i++)
            abandoned.ended(call, AGE);

        assertThat(scheduler.getParallelism()).isLessThanOrEqualTo(CALM);
    }
}
