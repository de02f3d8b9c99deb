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

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.telemetry.Meters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// Handlers whose partition moves, or whose worker stops.
class GivenUpHandlersTest {
    private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();

    private final InstantSource clock = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
    private final DeadlineLoop deadlines = new DeadlineLoop();
    private final RunningHandlers running = new RunningHandlers();
    private final Ownership ownership = owning();
    private final HandlerExecutor executor = new HandlerExecutor(deadlines, running,
            new AbandonedHandlers(new Meters(new SimpleMeterRegistry())), ownership,
            Handlers.nobodyCancels(), clock, HandlerExecutor.GRACE);
    private final BlockingQueue<ToolReply> abandoned = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        deadlines.close();
    }

    @Test
    void aRevokedCallIsLeftToTheNextOwner() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        AtomicBoolean cancelled = new AtomicBoolean();
        FutureTask<HandlerResult> run = new FutureTask<>(() -> executor.run(Handlers.idempotent((ctx, input) -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                cancelled.set(ctx.cancelled());
            }
            return null;
        }), call(Duration.ofSeconds(30)), NOTHING, abandoned::add));
        Thread.ofVirtual().start(run);
        assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();

        running.revoke(0, 2);
        running.revoke(1, 1);
        assertThat(run).as("other assignments").isNotDone();
        running.revoke(0, 1);

        assertThat(run.get(60, TimeUnit.SECONDS)).isInstanceOf(HandlerResult.Left.class);
        assertThat(cancelled).isTrue();
    }

    @Test
    void aRevokedCallThatMustNotRunTwiceRunsOnAndALostOneIsUnknown() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        FutureTask<HandlerResult> run = new FutureTask<>(() -> executor.run(Handlers.plain((ctx, input) -> {
            started.countDown();
            ends.await();
            return null;
        }), call(Duration.ofSeconds(30)), NOTHING, abandoned::add));
        Thread.ofVirtual().start(run);
        assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();

        running.revoke(0, 1);
        running.drain();
        assertThat(run).as("its outcome will be handed over").isNotDone();
        running.lose(0, 1);

        assertThat(run.get(60, TimeUnit.SECONDS)).isInstanceOfSatisfying(HandlerResult.Replied.class,
                replied -> assertThat(((ToolReply.Failed) replied.reply()).error().code())
                        .isEqualTo("E_TOOL_OUTCOME_UNKNOWN"));
    }

    @Test
    void aDrainInterruptsWhatMayRunTwiceAndStartsNoneOfItAnyMore() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        FutureTask<HandlerResult> run = new FutureTask<>(() -> executor.run(Handlers.idempotent((ctx, input) -> {
            started.countDown();
            new CountDownLatch(1).await();
            return null;
        }), call(Duration.ofSeconds(30)), NOTHING, abandoned::add));
        Thread.ofVirtual().start(run);
        assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();

        running.drain();

        assertThat(run.get(60, TimeUnit.SECONDS)).isEqualTo(new HandlerResult.Left(true));
        assertThat(executor.run(Handlers.idempotent((ctx, input) -> null), call(Duration.ofSeconds(30)), NOTHING,
                abandoned::add)).isEqualTo(new HandlerResult.Left(false));
        assertThat(executor.run(Handlers.plain((ctx, input) -> null), call(Duration.ofSeconds(30)), NOTHING,
                abandoned::add)).as("its intent is written, so it had better start")
                .isInstanceOf(HandlerResult.Replied.class);
    }

    /// The partition is given up between the lane's start of the call and the handler's: the poll thread has then
    /// already interrupted what it found.
    @Test
    void aCallThatIsGivenUpBeforeItsHandlerStartsNeverStarts() {
        AtomicBoolean started = new AtomicBoolean();
        ownership.publish(new Ownership.Snapshot(ownership.current().group(), Map.of()));
        running.revoke(0, 1);

        HandlerResult result = executor.run(Handlers.plain((ctx, input) -> {
            started.set(true);
            return null;
        }), call(Duration.ofSeconds(30)), NOTHING, abandoned::add);

        assertThat(result).isInstanceOf(HandlerResult.Left.class);
        assertThat(started).isFalse();
        assertThat(running.count()).isZero();
    }

    @Test
    void atShutdownACallThatMayRunTwiceIsLeft() throws Exception {
        assertThat(stopped(true)).isInstanceOf(HandlerResult.Left.class);
    }

    // The call waited for its catalog when the worker interrupted what ran: it must not start now and be cut off later.
    @Test
    void nothingStartsAfterTheShutdown() {
        AtomicBoolean started = new AtomicBoolean();
        running.stop();

        HandlerResult result = executor.run(Handlers.plain((ctx, input) -> {
            started.set(true);
            return null;
        }), call(Duration.ofSeconds(30)), NOTHING, abandoned::add);

        assertThat(result).isInstanceOf(HandlerResult.Left.class);
        assertThat(started).isFalse();
    }

    @Test
    void atShutdownACallThatMustNotRunTwiceIsUnknown() throws Exception {
        assertThat(stopped(false)).isInstanceOfSatisfying(HandlerResult.Replied.class,
                replied -> assertThat(((ToolReply.Failed) replied.reply()).error().code())
                        .isEqualTo("E_TOOL_OUTCOME_UNKNOWN"));
    }

    @Test
    void anAnswerStandsAlthoughItsHandlerWasInterrupted() throws Exception {
        for (boolean repeatable : new boolean[]{false, true}) {
            CountDownLatch started = new CountDownLatch(1);
            ToolHandler quick = (ctx, input) -> {
                started.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    return ToolOutput.of("done");
                }
                return null;
            };
            FutureTask<HandlerResult> run = new FutureTask<>(() -> executor.run(
                    repeatable ? Handlers.idempotent(quick) : Handlers.plain(quick), call(Duration.ofSeconds(30)),
                    NOTHING, abandoned::add));
            Thread.ofVirtual().start(run);
            assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();

            running.lose(0, 1);

            assertThat(run.get(60, TimeUnit.SECONDS)).isInstanceOfSatisfying(HandlerResult.Replied.class,
                    replied -> assertThat(replied.reply()).isInstanceOf(ToolReply.Ok.class));
        }
    }

    private HandlerResult stopped(boolean repeatable) throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        ToolHandler waiting = (ctx, input) -> {
            started.countDown();
            new CountDownLatch(1).await();
            return null;
        };
        FutureTask<HandlerResult> run = new FutureTask<>(
                () -> executor.run(repeatable ? Handlers.idempotent(waiting) : Handlers.plain(waiting),
                        call(Duration.ofSeconds(30)), NOTHING, abandoned::add));
        Thread.ofVirtual().start(run);
        assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
        running.stop();
        return run.get(60, TimeUnit.SECONDS);
    }

    private HandlerCall call(Duration left) {
        return new HandlerCall(ToolCall.of("c1", "t__run", NOTHING, "i"),
                new HandlerCall.Origin(new Position(0, 1, 42), 0, "identity", 3, 1),
                new HandlerCall.Limit(clock.instant().plus(left), "the test's limit"),
                new Workspace(Path.of("unused"), clock), Handlers.silent());
    }

    private static Ownership owning() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            Ownership ownership = new Ownership(member.groupMetadata());
            ownership.publish(new Ownership.Snapshot(member.groupMetadata(), Map.of(0, 1L)));
            return ownership;
        }
    }
}
