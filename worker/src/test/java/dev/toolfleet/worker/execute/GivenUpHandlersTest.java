package dev.toolfleet.worker.execute;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.assignment.Ownership;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Handlers whose partition moves, or whose worker stops.
class GivenUpHandlersTest {
    private final ExecutorFixture worker = new ExecutorFixture();

    @AfterEach
    void stop() {
        worker.close();
    }

    @Test
    void aRevokedCallIsLeftToTheNextOwner() throws Exception {
        AtomicBoolean cancelled = new AtomicBoolean();
        FutureTask<HandlerResult> run = worker.start(true, (ctx, input) -> {
            try {
                new CountDownLatch(1).await();
            } finally {
                cancelled.set(ctx.cancelled());
            }
            return null;
        });

        worker.running.revoke(0, 2);
        worker.running.revoke(1, 1);
        assertThat(run).as("other assignments").isNotDone();
        worker.running.revoke(0, 1);

        assertThat(run.get(60, TimeUnit.SECONDS)).isInstanceOf(HandlerResult.Left.class);
        assertThat(cancelled).isTrue();
    }

    @Test
    void aRevokedCallThatMustNotRunTwiceRunsOnAndALostOneIsUnknown() throws Exception {
        FutureTask<HandlerResult> run = worker.startWaiting(false);

        worker.running.revoke(0, 1);
        worker.running.drain();
        assertThat(run).as("its outcome will be handed over").isNotDone();
        worker.running.lose(0, 1);

        assertUnknown(run.get(60, TimeUnit.SECONDS));
    }

    @Test
    void aDrainInterruptsWhatMayRunTwiceAndStartsNoneOfItAnyMore() throws Exception {
        FutureTask<HandlerResult> run = worker.startWaiting(true);

        worker.running.drain();

        assertThat(run.get(60, TimeUnit.SECONDS)).isEqualTo(new HandlerResult.Left(true));
        assertThat(worker.run(true, (ctx, input) -> null)).isEqualTo(new HandlerResult.Left(false));
        assertThat(worker.run(false, (ctx, input) -> null)).as("its intent is written, so it had better start")
                .isInstanceOf(HandlerResult.Replied.class);
    }

    /// The partition is given up between the lane's start of the call and the handler's: the poll thread has then
    /// already interrupted what it found.
    @Test
    void aCallThatIsGivenUpBeforeItsHandlerStartsNeverStarts() {
        worker.ownership.publish(new Ownership.Snapshot(worker.ownership.current().group(), Map.of()));
        worker.running.revoke(0, 1);

        assertNeverStarts();
        assertThat(worker.running.count()).isZero();
    }

    // The call waited for its catalog when the worker interrupted what ran: it must not start now and be cut off later.
    @Test
    void nothingStartsAfterTheShutdown() {
        worker.running.stop();

        assertNeverStarts();
    }

    @Test
    void atShutdownACallThatMayRunTwiceIsLeft() throws Exception {
        FutureTask<HandlerResult> run = worker.startWaiting(true);
        worker.running.stop();

        assertThat(run.get(60, TimeUnit.SECONDS)).isInstanceOf(HandlerResult.Left.class);
    }

    @Test
    void atShutdownACallThatMustNotRunTwiceIsUnknown() throws Exception {
        FutureTask<HandlerResult> run = worker.startWaiting(false);
        worker.running.stop();

        assertUnknown(run.get(60, TimeUnit.SECONDS));
    }

    @Test
    void anAnswerStandsAlthoughItsHandlerWasInterrupted() throws Exception {
        for (boolean repeatable : new boolean[]{false, true}) {
            FutureTask<HandlerResult> run = worker.start(repeatable, (ctx, input) -> {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    return ToolOutput.of("done");
                }
                return null;
            });

            worker.running.lose(0, 1);

            assertThat(run.get(60, TimeUnit.SECONDS)).isInstanceOfSatisfying(HandlerResult.Replied.class,
                    replied -> assertThat(replied.reply()).isInstanceOf(ToolReply.Ok.class));
        }
    }

    private void assertNeverStarts() {
        AtomicBoolean started = new AtomicBoolean();

        HandlerResult result = worker.run(false, (ctx, input) -> {
            started.set(true);
            return null;
        });

        assertThat(result).isInstanceOf(HandlerResult.Left.class);
        assertThat(started).isFalse();
    }

    private static void assertUnknown(HandlerResult result) {
        assertThat(result).isInstanceOfSatisfying(HandlerResult.Replied.class,
                replied -> assertThat(((ToolReply.Failed) replied.reply()).error().code())
                        .isEqualTo("E_TOOL_OUTCOME_UNKNOWN"));
    }
}
