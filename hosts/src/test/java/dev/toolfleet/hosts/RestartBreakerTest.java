package dev.toolfleet.hosts;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RestartBreakerTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final RestartBreaker breaker = new RestartBreaker();

    @Test
    void theThirdEndWithinAMinuteOpensItForHalfAMinute() {
        breaker.ended(0, "a");
        breaker.ended(10 * SECOND, "b");
        assertThat(breaker.refusal(11 * SECOND)).isEmpty();
        breaker.ended(20 * SECOND, "c");

        assertThat(breaker.refusal(21 * SECOND)).hasValueSatisfying(why -> assertThat(why).contains("3 times", "c"));
        assertThat(breaker.refusal(21 * SECOND)).as("the same text").isEqualTo(breaker.refusal(49 * SECOND));
        assertThat(breaker.refusal(50 * SECOND)).isEmpty();
    }

    @Test
    void endsThatAreAMinuteApartDoNotCountTogether() {
        for (int i = 0; i < 10; i++) {
            breaker.ended(31L * i * SECOND, "x");
            assertThat(breaker.refusal(31L * i * SECOND)).isEmpty();
        }
    }
}
