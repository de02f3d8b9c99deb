package dev.toolfleet.gateway.calls;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DeliveryScheduleTest {
    private static final DeliverySchedule DAY = DeliverySchedule.DAY;

    private static RandomGenerator always(long bits) {
        return () -> bits;
    }

    @Test
    void elevenAttemptsFitIntoADay() {
        for (long bits : new long[]{0, -1}) {
            Duration since = Duration.ZERO;
            int attempts = 1;
            for (Optional<Duration> wait = DAY.after(attempts, since, always(bits)); wait.isPresent(); wait = DAY
                    .after(attempts, since, always(bits))) {
                since = since.plus(wait.get());
                attempts++;
            }
            assertThat(attempts).isEqualTo(11);
            assertThat(since).isBetween(Duration.ofHours(18), Duration.ofHours(24));
        }
    }

    @Test
    void chanceShortensAWaitByAFifthAtMost() {
        assertThat(DAY.after(1, Duration.ZERO, always(0))).contains(Duration.ofSeconds(5));
        assertThat(DAY.after(1, Duration.ZERO, always(-1)).orElseThrow()).isBetween(Duration.ofMillis(4000),
                Duration.ofMillis(4010));
    }

    @Test
    void anAttemptThatFailsBehindTheDayIsTheLast() {
        assertThat(DAY.after(2, Duration.ofHours(24).minusMillis(1), always(0))).isPresent();
        assertThat(DAY.after(2, Duration.ofHours(24), always(0))).isEmpty();
    }
}
