package dev.toolfleet.worker.execute;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.execute.CallWaits.Waited;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallWaitsTest {
    private final CancelFixture fixture = new CancelFixture();
    private final CallWaits waits = new CallWaits(fixture.running, fixture.ownership,
            new CancelReplies((call, calledAt, at) -> EndOrder.of(fixture.cancelled), fixture.meters));
    private final CountDownLatch began = new CountDownLatch(1);

    @AfterEach
    void stop() {
        fixture.deadlines.close();
    }

    @Test
    void whatIsWaitedForIsReturned() {
        assertThat(waits.during(waiting(false), () -> "came")).isEqualTo(new Waited.Over<>("came"));
        assertThat(fixture.running.count()).isZero();
    }

    @Test
    void aCancelledCallEndsItsWaitAtOnceAndDidNotHappen() throws Exception {
        FutureTask<Waited<String>> wait = start(false);
        fixture.cancel();

        ToolError error = error(wait);
        assertThat(error.code()).isEqualTo("E_TOOL_CANCELLED");
        assertThat(error.suggestion()).contains("did not happen");
        assertThat(fixture.counted("unstarted")).isEqualTo(1);
    }

    @Test
    void whoIsCancelledBetweenTwoStartsIsNotToldThatNothingHappened() throws Exception {
        FutureTask<Waited<String>> wait = start(true);
        fixture.cancel();

        assertThat(error(wait).message()).contains("while it ran");
        assertThat(error(wait).suggestion()).doesNotContain("did not happen");
    }

    @Test
    void whoWasCancelledBeforeDoesNotWait() throws Exception {
        fixture.cancelled = CancelFixture.CANCEL;

        assertThat(error(new FutureTask<>(() -> waits.during(waiting(false), this::forever)) {
            {
                run();
            }
        }).code()).isEqualTo("E_TOOL_CANCELLED");
    }

    @Test
    void aLostPartitionLeavesTheCallToItsNextOwner() throws Exception {
        FutureTask<Waited<String>> wait = start(false);
        fixture.running.lose(0, 1);

        assertThat(wait.get(60, TimeUnit.SECONDS)).isEqualTo(new Waited.Cut<>(new HandlerResult.Left(false)));
    }

    @Test
    void aDrainingWorkerLeavesAlsoCallsThatMustNotRunTwice() throws Exception {
        FutureTask<Waited<String>> wait = start(false);
        fixture.running.drain();

        assertThat(wait.get(60, TimeUnit.SECONDS)).isEqualTo(new Waited.Cut<>(new HandlerResult.Left(false)));
        assertThat(waits.during(waiting(false), this::forever))
                .isEqualTo(new Waited.Cut<>(new HandlerResult.Left(false)));
    }

    @Test
    void anInterruptOfNobodysEndsNothing() throws Exception {
        Thread.currentThread().interrupt();

        assertThat(waits.during(waiting(false), () -> {
            if (Thread.interrupted())
                throw new InterruptedException();
            return "came";
        })).isEqualTo(new Waited.Over<>("came"));
    }

    private FutureTask<Waited<String>> start(boolean started) throws InterruptedException {
        FutureTask<Waited<String>> task = new FutureTask<>(() -> waits.during(waiting(started), this::forever));
        Thread.ofVirtual().start(task);
        assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();
        return task;
    }

    private String forever() throws InterruptedException {
        began.countDown();
        new CountDownLatch(1).await();
        return "never";
    }

    private static ToolError error(FutureTask<Waited<String>> wait) throws Exception {
        HandlerResult cut = ((Waited.Cut<String>) wait.get(60, TimeUnit.SECONDS)).result();
        return ((ToolReply.Failed) ((HandlerResult.Replied) cut).reply()).error();
    }

    private static CallWaits.Waiting waiting(boolean started) {
        return new CallWaits.Waiting(new Position(0, 1, 42), ToolCall.of("c1", "t__run", CancelFixture.NOTHING, "i"), 0,
                started);
    }
}
