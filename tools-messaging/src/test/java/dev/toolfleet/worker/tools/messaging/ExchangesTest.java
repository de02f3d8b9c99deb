package dev.toolfleet.worker.tools.messaging;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.tool.ToolException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class ExchangesTest {
    private static final Provider ACME = new Provider("acme", "Acme", List.of(), "X", "https://acme.example", "room",
            "Look.", false);

    private Instant now = Instant.EPOCH;
    private final List<Duration> slept = new ArrayList<>();
    private final AtomicInteger tries = new AtomicInteger();

    @Test
    void itWaitsAsToldAndTriesAgain() throws Exception {
        String answer = exchanges(Duration.ofMinutes(2)).run("m", RepeatEffect.ONCE, _ -> {
            if (tries.incrementAndGet() < 3)
                throw new RateLimited(tries.get() * 10L);
            return "done";
        });
        assertThat(answer).isEqualTo("done");
        assertThat(slept).containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    @Test
    void itGivesUpAfterFourTries() {
        ToolException e = limited(Duration.ofHours(1), 5);
        assertThat(e.code()).isEqualTo("E_TOOL_RATE_LIMITED");
        assertThat(tries).hasValue(4);
        assertThat(slept).hasSize(3);
    }

    @Test
    void itDoesNotWaitBeyondTheDeadline() {
        ToolException e = limited(Duration.ofSeconds(60), 59);
        assertThat(e).hasMessageContaining("in 59 s");
        assertThat(slept).isEmpty();
        assertThat(limited(Duration.ofSeconds(60), 50)).as("the second wait is too long").hasMessageContaining("50 s");
        assertThat(slept).hasSize(1);
    }

    private ToolException limited(Duration time, long seconds) {
        return catchThrowableOfType(ToolException.class, () -> exchanges(time).run("m", RepeatEffect.REPEATABLE, _ -> {
            tries.incrementAndGet();
            throw new RateLimited(seconds);
        }));
    }

    private Exchanges exchanges(Duration time) {
        InstantSource clock = () -> now;
        return new Exchanges(ACME, Token.of("t"), clock, wait -> {
            slept.add(wait);
            now = now.plus(wait);
        }, Duration.ofSeconds(5), now.plus(time));
    }
}
