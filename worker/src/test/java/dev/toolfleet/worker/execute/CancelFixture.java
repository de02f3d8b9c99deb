package dev.toolfleet.worker.execute;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// Handlers of calls that a test cancels.
class CancelFixture {
    static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();
    static final CancelCall CANCEL = new CancelCall("i", "c1", null, null, "ada", "changed my mind", null,
            null);

    final InstantSource clock = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
    final DeadlineLoop deadlines = new DeadlineLoop();
    final RunningHandlers running = new RunningHandlers();
    final Ownership ownership = owning();
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final WorkerMeters meters = new WorkerMeters(registry);
    final BlockingQueue<ToolReply> abandoned = new LinkedBlockingQueue<>();
    final CountDownLatch started = new CountDownLatch(1);
    final AtomicBoolean ran = new AtomicBoolean();
    volatile @Nullable CancelCall cancelled;
    Supplier<@Nullable CancelCall> asked = () -> cancelled;
    final HandlerExecutor executor = executor(Duration.ofMinutes(1));
    /// Gives up soon.
    final HandlerExecutor impatient = executor(Duration.ofMillis(20));

    private HandlerExecutor executor(Duration grace) {
        return new HandlerExecutor(deadlines, running, new AbandonedHandlers(meters), ownership,
                new CancelReplies((call, calledAt, at) -> EndOrder.of(asked.get()), meters), clock, grace,
                System::nanoTime);
    }

    @Nullable
    ToolOutput waits(Object ctx, ObjectNode input) throws InterruptedException {
        ran.set(true);
        started.countDown();
        new CountDownLatch(1).await();
        return null;
    }

    /// Goes on when it is interrupted.
    void waitsUninterruptibly() {
        started.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            // As a handler does that is about to finish.
        }
    }

    /// As the view of `tool.control` does it: to be found first, then told.
    void cancel() {
        cancelled = CANCEL;
        running.cancelled("i");
    }

    /// Returns when the handler runs, or has ended without.
    FutureTask<HandlerResult> start(RegisteredTool tool) throws InterruptedException {
        return start(executor, tool);
    }

    /// The same, run by one of the two.
    FutureTask<HandlerResult> start(HandlerExecutor by, RegisteredTool tool) throws InterruptedException {
        FutureTask<HandlerResult> run = new FutureTask<>(
                () -> by.run(tool, call(Duration.ofSeconds(30)), NOTHING, abandoned::add)) {
            @Override
            protected void done() {
                started.countDown();
            }
        };
        Thread.ofVirtual().start(run);
        assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
        return run;
    }

    static ToolReply reply(FutureTask<HandlerResult> run) throws Exception {
        return ((HandlerResult.Replied) run.get(60, TimeUnit.SECONDS)).reply();
    }

    static ToolError error(FutureTask<HandlerResult> run) throws Exception {
        return ((ToolReply.Failed) reply(run)).error();
    }

    double counted(String state) {
        return registry.get(WorkerMeters.CALLS_CANCELLED).tag(WorkerMeters.STATE, state).counter().count();
    }

    HandlerCall call(Duration left) {
        return new HandlerCall(ToolCall.of("c1", "t__run", NOTHING, "i"),
                new HandlerCall.Origin(new Position(0, 1, 42), 0, "identity", 3, 1),
                new HandlerCall.Limit(clock.instant().plus(left), "the test's limit"),
                new Workspace(Path.of("unused"), clock), Handlers.silent());
    }

    static Ownership owning() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            Ownership ownership = new Ownership(member.groupMetadata());
            ownership.publish(new Ownership.Snapshot(member.groupMetadata(), Map.of(0, 1L)));
            return ownership;
        }
    }
}
