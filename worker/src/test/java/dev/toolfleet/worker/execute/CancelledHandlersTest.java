package dev.toolfleet.worker.execute;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

/// Handlers whose calls were cancelled.
class CancelledHandlersTest extends CancelFixture {
    @AfterEach
    void stop() {
        deadlines.close();
    }

    @Test
    void aRunningHandlerIsInterruptedAndItsCallerToldWhoAndWhy() throws Exception {
        FutureTask<HandlerResult> run = start(Handlers.idempotent(this::waits));
        running.cancelled("j");
        assertThat(run).as("another instance's").isNotDone();
        cancel();

        ToolError error = error(run);
        assertThat(error.code()).isEqualTo("E_TOOL_CANCELLED");
        assertThat(error.message()).isEqualTo("The call was cancelled by ada while it ran: changed my mind");
        assertThat(error.suggestion()).doesNotContain("in part");
        assertThat(counted("running")).isEqualTo(1);
        assertThat(abandoned).isEmpty();
    }

    @Test
    void ofOneThatMustNotRunTwiceTheModelLearnsThatItMayHaveHappenedInPart() throws Exception {
        FutureTask<HandlerResult> run = start(Handlers.plain(this::waits));
        cancel();

        assertThat(error(run).suggestion()).contains("may have happened in part");
    }

    @Test
    void aToolsOwnErrorAfterItsInterruptIsThatOfTheCancellation() throws Exception {
        FutureTask<HandlerResult> run = start(Handlers.plain((ctx, input) -> {
            try {
                return waits(ctx, input);
            } catch (InterruptedException e) {
                throw new ToolException("E_STOPPED", "stopped at 40 %");
            }
        }));
        cancel();

        assertThat(error(run).code()).isEqualTo("E_TOOL_CANCELLED");
    }

    @Test
    void whatItAnswersAllTheSameStands() throws Exception {
        FutureTask<HandlerResult> value = start(Handlers.plain((ctx, input) -> {
            waitsUninterruptibly();
            return ToolOutput.of(ctx.cancelled() ? "done" : "not told");
        }));
        cancel();

        assertThat(reply(value)).isEqualTo(new ToolReply.Ok(JsonNodeFactory.instance.stringNode("done")));
        assertThat(counted("running")).isZero();
    }

    @Test
    void aHandleThatItAnswersAllTheSameStands() throws Exception {
        FutureTask<HandlerResult> pending = start(Handlers.plain((ctx, input) -> {
            waitsUninterruptibly();
            return ToolOutput.pending("h1", Map.of());
        }));
        cancel();

        assertThat(reply(pending)).isInstanceOf(ToolReply.Pending.class);
    }

    @Test
    void oneThatIgnoresItsInterruptIsAnsweredForAfterTheGraceAndCountedOnce() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        FutureTask<HandlerResult> run = start(impatient, Handlers.plain((ctx, input) -> {
            started.countDown();
            for (boolean interrupted = false; !interrupted || release.getCount() > 0;)
                try {
                    release.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            throw new IllegalStateException("too late");
        }));
        cancel();
        cancel();

        ToolReply answer = abandoned.poll(60, TimeUnit.SECONDS);
        assertThat(answer).isInstanceOfSatisfying(ToolReply.Failed.class,
                failed -> assertThat(failed.error().message()).contains("ada"));
        release.countDown();
        assertThat(reply(run)).isInstanceOf(ToolReply.Failed.class);
        assertThat(abandoned).as("once").isEmpty();
        assertThat(counted("running")).isEqualTo(1);
        assertThat(registry.get(WorkerMeters.HANDLERS_ABANDONMENTS).counter().count()).isEqualTo(1);
    }

    @Test
    void oneThatWasCancelledBeforeDoesNotStart() throws Exception {
        cancel();

        assertThat(error(start(Handlers.plain(this::waits)))).satisfies(error -> {
            assertThat(error.code()).isEqualTo("E_TOOL_CANCELLED");
            assertThat(error.message()).contains("before it started").contains("ada");
            assertThat(error.suggestion()).contains("did not happen");
        });
        assertThat(ran).isFalse();
        assertThat(running.count()).isZero();
        assertThat(counted("unstarted")).isEqualTo(1);
        assertThat(counted("running")).isZero();
    }

    @Test
    void aQuestionAboutACancelledCallIsAskedAllTheSame() {
        cancel();

        HandlerResult result = executor.ask(Handlers.plain((ctx, input) -> ToolOutput.of("it happened")),
                call(Duration.ofSeconds(30)), NOTHING, abandoned::add);

        assertThat(((HandlerResult.Replied) result).reply()).isInstanceOf(ToolReply.Ok.class);
    }
}
