package dev.toolfleet.bench.compare;

import java.time.Duration;

import dev.toolfleet.bench.compare.RateOptions.Schedule;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TimedCallsTest {
    private static final long BEGUN = 1_000_000;
    /// Ten calls a second; those of the first second do not count.
    private static final Schedule SCHEDULE = new Schedule(10, Duration.ofSeconds(1), Duration.ofSeconds(1));

    private final int[] keys = new int[20];
    private final long[] answered = new long[20];

    @Test
    void aCallTakesFromWhenItWasDue() {
        for (int number = 0; number < 20; number++)
            answer(number, number == 15 ? 700 : 20);

        TimedCalls calls = calls();

        assertThat(calls.latencies(key -> true).count()).isEqualTo(10);
        assertThat(calls.latencies(key -> true).at(50)).isEqualTo(Duration.ofMillis(20));
        assertThat(calls.latencies(key -> true).at(100)).isEqualTo(Duration.ofMillis(700));
    }

    @Test
    void instancesAreLookedAtAlone() {
        keys[12] = 3;
        for (int number = 0; number < 20; number++)
            answer(number, number == 12 ? 90 : 20);

        assertThat(calls().latencies(key -> key == 3).at(100)).isEqualTo(Duration.ofMillis(90));
        assertThat(calls().latencies(key -> key == 0).at(100)).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    void whatWasNotAnsweredIsOpenAndHasNoTime() {
        for (int number = 0; number < 20; number++)
            answer(number, 250);
        answered[11] = 0;
        answered[19] = 0;

        assertThat(calls().latencies(key -> true).count()).isEqualTo(8);
        // A call of 250 ms meets the two before it, and from number 11 on one that never ends.
        assertThat(calls().mostOpen()).isEqualTo(4);
    }

    @Test
    void resultsThatComeLateAreNotOfTheTimeInWhichCallsCount() {
        for (int number = 0; number < 20; number++)
            answer(number, number < 10 ? 10 : 5_000);
        assertThat(calls().perSecond()).isZero();

        for (int number = 10; number < 15; number++)
            answer(number, 10);
        assertThat(calls().perSecond()).isEqualTo(5);
    }

    private void answer(int number, long millis) {
        answered[number] = BEGUN + SCHEDULE.dueNanos(number) + Duration.ofMillis(millis).toNanos();
    }

    private TimedCalls calls() {
        return new TimedCalls(SCHEDULE, BEGUN, keys, answered);
    }
}
