package dev.toolfleet.console.web;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LivePartTest {
    @Test
    void aCheapPartIsRenderedAFewTimesASecond() {
        assertThat(LivePart.pause(Duration.ofNanos(200_000), false)).isEqualTo(Duration.ofMillis(250));
        assertThat(LivePart.pause(Duration.ofNanos(200_000), true)).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void anIdlePageRendersInLessThanOnePercentOfItsTime() {
        for (int millis : new int[]{3, 10, 40}) {
            Duration cost = Duration.ofMillis(millis);
            assertThat(cost.multipliedBy(100)).isLessThan(LivePart.pause(cost, false));
        }
    }

    @Test
    void aPartThatTookLongIsLookedAtWithinFiveSeconds() {
        for (int millis : new int[]{50, 170, 60_000})
            assertThat(LivePart.pause(Duration.ofMillis(millis), false)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aPartThatChangesIsLookedAtSoonerThanAnIdleOne() {
        Duration cost = Duration.ofMillis(300);

        assertThat(LivePart.pause(cost, true)).isEqualTo(Duration.ofSeconds(3));
        assertThat(LivePart.pause(cost, false)).isEqualTo(LivePart.LONGEST);
    }
}
