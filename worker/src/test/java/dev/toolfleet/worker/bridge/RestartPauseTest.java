package dev.toolfleet.worker.bridge;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RestartPauseTest {
    private final RestartPause pauses = new RestartPause(RestartPause.MOST_FAILURES);

    @Test
    void theThirdFailureWithinAMinuteOpensTheBreaker() {
        assertThat(after(0, 5)).isEqualTo(new RestartPause.Next(Duration.ofMillis(250), false));
        assertThat(after(10, 5)).isEqualTo(new RestartPause.Next(Duration.ofMillis(500), false));
        assertThat(after(20, 5)).isEqualTo(new RestartPause.Next(RestartPause.BREAKER, true));
    }

    @Test
    void rareFailuresAreRestartedAtOnce() {
        for (int i = 0; i < 10; i++)
            assertThat(after(i * 100, 90)).isEqualTo(new RestartPause.Next(Duration.ofMillis(250), false));
    }

    @Test
    void aServerThatNeverStartsIsTriedOnceAMinute() {
        RestartPause.Next last = after(0, 0);
        for (int i = 1; i < 100; i++)
            last = after(i * 60, 0);

        assertThat(last).isEqualTo(new RestartPause.Next(RestartPause.LONGEST, true));
    }

    private RestartPause.Next after(int seconds, int lived) {
        return pauses.after(Duration.ofSeconds(seconds), Duration.ofSeconds(lived));
    }
}
