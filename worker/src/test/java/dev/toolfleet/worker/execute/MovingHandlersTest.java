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
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.middleware.ToolReply;
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

/// Handlers that may run twice and run while their partition moves.
class MovingHandlersTest {
    private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final InstantSource clock = now::get;
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
    void aLongCallThatMayRunTwiceRunsOnOnceItsNoteIsCommitted() throws Exception {
        NotedCall noted = new NotedCall(Duration.ofSeconds(2));
        running.moving(0, 2);
        assertThat(noted.note.asked).as("another assignment").isFalse();

        running.moving(0, 1);
        assertThat(noted.note.asked).isTrue();
        noted.note.written = true;
        running.revoke(0, 1);
        noted.ends.countDown();

        assertThat(noted.run.get(60, TimeUnit.SECONDS)).as("its outcome is handed over")
                .isInstanceOf(HandlerResult.Replied.class);
        assertThat(noted.note.closed).isTrue();
    }

    @Test
    void aLongCallWhoseNoteWasNotCommittedInTimeIsLeft() throws Exception {
        NotedCall noted = new NotedCall(Duration.ofSeconds(2));
        running.moving(0, 1);

        running.revoke(0, 1);

        assertThat(noted.run.get(60, TimeUnit.SECONDS)).isEqualTo(new HandlerResult.Left(true));
    }

    @Test
    void aShortCallThatMayRunTwiceIsNotNoted() throws Exception {
        NotedCall noted = new NotedCall(Duration.ofMillis(1_999));

        running.moving(0, 1);
        running.revoke(0, 1);

        assertThat(noted.note.asked).isFalse();
        assertThat(noted.run.get(60, TimeUnit.SECONDS)).isEqualTo(new HandlerResult.Left(true));
    }

    @Test
    void aWorkerThatStopsNotesNothing() throws Exception {
        NotedCall noted = new NotedCall(Duration.ofMinutes(1));

        running.drain();
        running.moving(0, 1);

        assertThat(noted.note.asked).isFalse();
        assertThat(noted.run.get(60, TimeUnit.SECONDS)).isEqualTo(new HandlerResult.Left(true));
    }

    /// A call that may run twice, runs, and has run for some time.
    private final class NotedCall {
        final FakeNote note = new FakeNote();
        final CountDownLatch ends = new CountDownLatch(1);
        final FutureTask<HandlerResult> run;

        NotedCall(Duration hasRun) throws InterruptedException {
            CountDownLatch started = new CountDownLatch(1);
            HandlerCall call = call(Duration.ofSeconds(30));
            call.movesBy(note);
            run = new FutureTask<>(() -> executor.run(Handlers.idempotent((ctx, input) -> {
                started.countDown();
                ends.await();
                return null;
            }), call, NOTHING, abandoned::add));
            Thread.ofVirtual().start(run);
            assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
            now.updateAndGet(before -> before.plus(hasRun));
        }
    }

    private static final class FakeNote implements MoveNote {
        volatile boolean asked;
        volatile boolean written;
        volatile boolean closed;

        @Override
        public void write() {
            asked = true;
        }

        @Override
        public boolean isWritten() {
            return written;
        }

        @Override
        public void ended() {
            closed = true;
        }
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
