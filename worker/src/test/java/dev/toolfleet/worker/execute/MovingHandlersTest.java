package dev.toolfleet.worker.execute;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Handlers that may run twice and run while their partition moves.
class MovingHandlersTest {
    private final ExecutorFixture worker = new ExecutorFixture();

    @AfterEach
    void stop() {
        worker.close();
    }

    @Test
    void aLongCallThatMayRunTwiceRunsOnOnceItsNoteIsCommitted() throws Exception {
        NotedCall noted = new NotedCall(Duration.ofSeconds(2));
        worker.running.moving(0, 2);
        assertThat(noted.note.asked).as("another assignment").isFalse();

        worker.running.moving(0, 1);
        assertThat(noted.note.asked).isTrue();
        noted.note.written = true;
        worker.running.revoke(0, 1);
        noted.ends.countDown();

        assertThat(noted.run.get(60, TimeUnit.SECONDS)).as("its outcome is handed over")
                .isInstanceOf(HandlerResult.Replied.class);
        assertThat(noted.note.closed).isTrue();
    }

    @Test
    void aLongCallWhoseNoteWasNotCommittedInTimeIsLeft() throws Exception {
        NotedCall noted = new NotedCall(Duration.ofSeconds(2));
        worker.running.moving(0, 1);

        worker.running.revoke(0, 1);

        assertThat(noted.run.get(60, TimeUnit.SECONDS)).isEqualTo(new HandlerResult.Left(true));
    }

    @Test
    void aShortCallThatMayRunTwiceIsNotNoted() throws Exception {
        NotedCall noted = new NotedCall(Duration.ofMillis(1_999));

        worker.running.moving(0, 1);
        worker.running.revoke(0, 1);

        assertThat(noted.note.asked).isFalse();
        assertThat(noted.run.get(60, TimeUnit.SECONDS)).isEqualTo(new HandlerResult.Left(true));
    }

    @Test
    void aWorkerThatStopsNotesNothing() throws Exception {
        NotedCall noted = new NotedCall(Duration.ofMinutes(1));

        worker.running.drain();
        worker.running.moving(0, 1);

        assertThat(noted.note.asked).isFalse();
        assertThat(noted.run.get(60, TimeUnit.SECONDS)).isEqualTo(new HandlerResult.Left(true));
    }

    /// A call that may run twice, runs, and has run for some time.
    private final class NotedCall {
        final FakeNote note = new FakeNote();
        final CountDownLatch ends = new CountDownLatch(1);
        final FutureTask<HandlerResult> run;

        NotedCall(Duration hasRun) throws InterruptedException {
            HandlerCall call = worker.call();
            call.movesBy(note);
            run = worker.start(true, (ctx, input) -> {
                ends.await();
                return null;
            }, call);
            worker.pass(hasRun);
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
}
