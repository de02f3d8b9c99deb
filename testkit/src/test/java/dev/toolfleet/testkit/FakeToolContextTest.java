package dev.toolfleet.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

import static org.assertj.core.api.Assertions.assertThat;

class FakeToolContextTest {
    private final FakeToolContext ctx = FakeToolContext.in(Path.of("work"));

    @Test
    void logLinesAreKeptWithLevelArgumentsAndCause() {
        RuntimeException cause = new RuntimeException("x");
        ctx.logger().info("built {} of {}", 1, 2);
        ctx.logger().atWarn().setMessage("slow").addKeyValue("ms", 7).log();
        ctx.logger().error("gone", cause);

        assertThat(ctx.logLines()).containsExactly(new LogLine(Level.INFO, "built 1 of 2", null),
                new LogLine(Level.WARN, "ms=7 slow", null), new LogLine(Level.ERROR, "gone", cause));
    }

    @Test
    void settersChangeWhatTheHandlerSees() {
        Instant deadline = Instant.parse("2026-01-01T00:00:00Z");
        ctx.instanceKey("i").toolCallId("c").deadline(deadline).attempt(2).caller("u", null);

        assertThat(ctx.idempotencyKey()).isEqualTo("i/c");
        assertThat(ctx.deadline()).isEqualTo(deadline);
        assertThat(ctx.attempt()).isEqualTo(2);
        assertThat(ctx.caller().userId()).isEqualTo("u");
        assertThat(ctx.cancelled()).isFalse();
        assertThat(ctx.cancel().cancelled()).isTrue();
    }

    @Test
    void interruptingARunAlsoCancelsItsContext() throws InterruptedException {
        HandlerRun run = HandlerRun.start((context, input) -> {
            Thread.sleep(Duration.ofMinutes(1));
            return null;
        }, ctx, Json.MAPPER.createObjectNode());

        run.interrupt();

        assertThat(run.endsWithin(Duration.ofMinutes(1))).isTrue();
        assertThat(ctx.cancelled()).isTrue();
        assertThat(run.outcome()).isInstanceOfSatisfying(HandlerRun.Outcome.Threw.class,
                threw -> assertThat(threw.cause()).isInstanceOf(InterruptedException.class));
    }
}
