package dev.toolfleet.worker.execute;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.MockConsumer;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Handlers of a worker that owns partition 0 under epoch 1, by a clock that a test moves.
final class ExecutorFixture implements AutoCloseable {
    private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();

    final RunningHandlers running = new RunningHandlers();
    final Ownership ownership = owning();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final InstantSource clock = now::get;
    private final DeadlineLoop deadlines = new DeadlineLoop();
    private final HandlerExecutor executor = new HandlerExecutor(deadlines, running,
            new AbandonedHandlers(new WorkerMeters(new SimpleMeterRegistry())), ownership, Handlers.nobodyCancels(),
            clock,
            HandlerExecutor.GRACE, System::nanoTime);

    /// A call of the partition that has 30 s left.
    HandlerCall call() {
        return new HandlerCall(ToolCall.of("c1", "t__run", NOTHING, "i"),
                new HandlerCall.Origin(new Position(0, 1, 42), 0, "identity", 3, 1),
                new HandlerCall.Limit(clock.instant().plusSeconds(30), "the test's limit"),
                new Workspace(Path.of("unused"), clock), Handlers.silent());
    }

    /// Runs a call to its end.
    HandlerResult run(boolean repeatable, ToolHandler handler) {
        return run(repeatable, handler, call());
    }

    private HandlerResult run(boolean repeatable, ToolHandler handler, HandlerCall call) {
        RegisteredTool tool = repeatable ? Handlers.idempotent(handler) : Handlers.plain(handler);
        return executor.run(tool, call, NOTHING, reply -> {});
    }

    /// Makes an inquiry to a module, whose export must not run twice, for the files on which a call depends.
    OperandInquiry.Found operands(ToolModule module) {
        RegisteredTool tool = requireNonNull(
                TestResources.registry(module, false).acquire(new ToolRef("acme", "t", "run")));
        return new OperandInquiry(executor).of(tool, call(), NOTHING, reply -> {});
    }

    /// Starts a call on a thread of its own, and returns once its handler has begun.
    FutureTask<HandlerResult> start(boolean repeatable, ToolHandler handler) throws InterruptedException {
        return start(repeatable, handler, call());
    }

    FutureTask<HandlerResult> start(boolean repeatable, ToolHandler handler, HandlerCall call)
            throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        FutureTask<HandlerResult> run = new FutureTask<>(() -> run(repeatable, (ctx, input) -> {
            started.countDown();
            return handler.handle(ctx, input);
        }, call));
        Thread.ofVirtual().start(run);
        assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
        return run;
    }

    /// Starts a call whose handler waits until it is interrupted.
    FutureTask<HandlerResult> startWaiting(boolean repeatable) throws InterruptedException {
        return start(repeatable, (ctx, input) -> {
            new CountDownLatch(1).await();
            return null;
        });
    }

    void pass(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }

    @Override
    public void close() {
        deadlines.close();
    }

    private static Ownership owning() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            Ownership ownership = new Ownership(member.groupMetadata());
            ownership.publish(new Ownership.Snapshot(member.groupMetadata(), Map.of(0, 1L)));
            return ownership;
        }
    }
}
