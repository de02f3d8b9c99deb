package dev.toolfleet.worker.execute;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Cancellations that come together with a start, an end, a deadline or the loss of the partition.
class CancelRacesTest extends CancelFixture {
    @AfterEach
    void stop() {
        deadlines.close();
    }

    /// The cancellation becomes findable just before the start checks for it, and interrupts the noted handlers just
    /// before or just after the handler would begin.
    @Test
    void oneThatComesBetweenTheNoteAndTheQuestionIsSeenByTheQuestionAndLeavesNoInterruptBehind() throws Exception {
        AtomicBoolean clean = new AtomicBoolean();
        asked = () -> {
            asked = () -> cancelled;
            cancel();
            return cancelled;
        };
        FutureTask<HandlerResult> run = new FutureTask<>(() -> {
            HandlerResult result = impatient.run(Handlers.plain(this::waits), call(Duration.ofSeconds(30)), NOTHING,
                    abandoned::add);
            clean.set(!Thread.currentThread().isInterrupted());
            return result;
        });
        Thread.ofVirtual().start(run);

        assertThat(error(run).message()).contains("before it started");
        assertThat(ran).isFalse();
        assertThat(clean).isTrue();
        CountDownLatch afterTheGrace = new CountDownLatch(1);
        var _ = deadlines.after(Duration.ofMillis(60), afterTheGrace::countDown);
        assertThat(afterTheGrace.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(abandoned).as("nobody is given up").isEmpty();
        assertThat(counted("running")).isZero();
    }

    @Test
    void oneThatComesBetweenTheQuestionAndTheHandlerInterruptsIt() throws Exception {
        asked = () -> {
            asked = () -> cancelled;
            // The cancellation cannot be found yet; from here on it can, and the handler is noted.
            cancel();
            return null;
        };
        FutureTask<HandlerResult> run = start(Handlers.plain(this::waits));

        assertThat(error(run).message()).contains("while it ran");
        assertThat(ran).as("it began, interrupted").isTrue();
    }

    @Test
    void theFirstCauseWins() throws Exception {
        FutureTask<HandlerResult> revoked = start(Handlers.idempotent(this::waits));
        running.revoke(0, 1);
        cancel();
        assertThat(revoked.get(60, TimeUnit.SECONDS)).as("the next owner finds it cancelled")
                .isInstanceOf(HandlerResult.Left.class);

        cancelled = null;
        FutureTask<HandlerResult> timedOut = new FutureTask<>(() -> executor.run(Handlers.plain((ctx, input) -> {
            try {
                return waits(ctx, input);
            } catch (InterruptedException e) {
                cancel();
                throw e;
            }
        }), call(Duration.ofMillis(10)), NOTHING, abandoned::add));
        Thread.ofVirtual().start(timedOut);
        assertThat(error(timedOut).code()).isEqualTo("E_TOOL_TIMEOUT");

        cancelled = null;
        FutureTask<HandlerResult> cancelledFirst = new FutureTask<>(() -> executor.run(
                Handlers.idempotent((ctx, input) -> {
                    try {
                        ran.set(true);
                        cancel();
                        new CountDownLatch(1).await();
                        return null;
                    } catch (InterruptedException e) {
                        running.revoke(0, 1);
                        running.drain();
                        throw e;
                    }
                }), call(Duration.ofSeconds(30)), NOTHING, abandoned::add));
        Thread.ofVirtual().start(cancelledFirst);
        assertThat(error(cancelledFirst).code()).isEqualTo("E_TOOL_CANCELLED");
    }

    @Test
    void afterTheEndOfTheHandlerACancellationIsNothing() throws Exception {
        FutureTask<HandlerResult> run = start(Handlers.plain((ctx, input) -> ToolOutput.of("done")));
        assertThat(reply(run)).isInstanceOf(ToolReply.Ok.class);

        cancel();

        assertThat(counted("running")).isZero();
        assertThat(running.count()).isZero();
    }
}
