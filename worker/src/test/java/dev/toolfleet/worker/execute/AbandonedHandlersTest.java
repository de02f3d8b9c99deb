package dev.toolfleet.worker.execute;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.telemetry.Meters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

class AbandonedHandlersTest {
    private static final Duration AGE = Duration.ofSeconds(32);

    private final VirtualThreadSchedulerMXBean scheduler = ManagementFactory
            .getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    private final AbandonedHandlers abandoned = new AbandonedHandlers(new Meters(new SimpleMeterRegistry()));
    private final HandlerCall call = new HandlerCall(
            ToolCall.of("c1", "t__run", JsonNodeFactory.instance.objectNode(), "i"),
            new HandlerCall.Origin(new Position(0, 1, 42), 0, "id", 1, 1),
            new HandlerCall.Limit(Instant.EPOCH, "a limit"),
            new Workspace(Path.of("unused"), () -> Instant.EPOCH), Handlers.silent());

    @Test
    void fewHandlersThatComputeAreNoReasonForOthersToWait() {
        assertThat(scheduler.getParallelism()).isGreaterThanOrEqualTo(32);
    }

    @Test
    void asManyEndlessLoopsAsCarriersLeaveOtherVirtualThreadsRunningOnceTheyAreAbandoned()
            throws InterruptedException {
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
                abandoned.abandoned(call, AGE);

            Thread other = Thread.ofVirtual().start(() -> {});

            assertThat(other.join(Duration.ofSeconds(20))).as("another call got a carrier").isTrue();
            assertThat(scheduler.getParallelism()).isEqualTo(before * 2);
            assertThat(abandoned.running()).isEqualTo(before);
        } finally {
            stop.set(true);
        }
        for (int i = 0; i < before; i++)
            abandoned.ended(call, AGE);
        assertThat(scheduler.getParallelism()).isEqualTo(before);
        assertThat(abandoned.running()).isZero();
    }

    @Test
    void moreAbandonedHandlersThanTheJvmTakesCarriersAreSurvived() {
        int before = scheduler.getParallelism();
        for (int i = 0; i < 400; i++)
            abandoned.abandoned(call, AGE);
        assertThat(abandoned.running()).isEqualTo(400);

        for (int i = 0; i < 400; i++)
            abandoned.ended(call, AGE);

        assertThat(scheduler.getParallelism()).isEqualTo(before);
    }
}
