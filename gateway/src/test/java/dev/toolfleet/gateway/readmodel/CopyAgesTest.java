package dev.toolfleet.gateway.readmodel;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CopyAgesTest {
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private long now = Long.MAX_VALUE - MOMENT.toNanos();
    private Optional<Map<Integer, Long>> ends = Optional.empty();
    private final CopyAges ages = new CopyAges(() -> ends, () -> now);

    @AfterEach
    void stop() {
        ages.close();
    }

    private void sampled(long end) {
        ends = Optional.of(Map.of(0, end));
        ages.sample();
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void aCopyIsYoungWhenItHoldsAllCallsOfAMomentAgo() {
        sampled(10);
        pass(MOMENT);
        sampled(12);

        assertThat(ages.isLow(0, 12)).isTrue();
        assertThat(ages.isLow(0, 10)).as("calls 10 and 11 are younger than the first sample").isTrue();
        assertThat(ages.isLow(0, 9)).as("call 9 is older").isFalse();
        assertThat(ages.isLow(1, 12)).as("a partition that was not sampled").isFalse();
    }

    @Test
    void aCopyThatStandsStillGetsOldWithTheNextCalls() {
        sampled(10);
        pass(CopyAges.LONGEST.plus(MOMENT));
        assertThat(ages.isLow(0, 10)).as("nothing is known of the last minute").isFalse();

        sampled(10);
        assertThat(ages.isLow(0, 10)).as("no call came").isTrue();
        sampled(11);
        pass(CopyAges.LONGEST);
        assertThat(ages.isLow(0, 10)).isTrue();
        pass(MOMENT);
        sampled(11);
        assertThat(ages.isLow(0, 10)).as("call 10 may be older than a minute").isFalse();
    }

    @Test
    void aBrokerThatDoesNotAnswerMakesNoCopyYoung() {
        sampled(10);
        ends = Optional.empty();
        pass(CopyAges.LONGEST.plus(MOMENT));
        ages.sample();
        assertThat(ages.isLow(0, Long.MAX_VALUE)).isFalse();
    }
}
