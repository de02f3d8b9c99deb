package dev.toolfleet.hosts;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HostPulseTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final HostPulse pulse = new HostPulse(0);

    @Test
    void aHostThatTalksIsNotPinged() {
        assertThat(pulse.isDue(2 * SECOND, 2 * SECOND, 1)).isFalse();
    }

    @Test
    void aSilentHostWithCallsIsPingedOnceAndIsStuckWithoutAnAnswer() {
        assertThat(pulse.isDue(2 * SECOND, 0, 1)).isTrue();
        assertThat(pulse.isDue(4 * SECOND, 0, 1)).as("while it waits").isFalse();
        assertThat(pulse.isStuck(7 * SECOND - 1)).isFalse();
        assertThat(pulse.isStuck(7 * SECOND)).isTrue();
    }

    @Test
    void anAnswerStartsTheWaitAnew() {
        assertThat(pulse.isDue(2 * SECOND, 0, 1)).isTrue();
        pulse.answered();

        assertThat(pulse.isStuck(100 * SECOND)).isFalse();
        assertThat(pulse.isDue(4 * SECOND, 2 * SECOND, 1)).isTrue();
    }

    @Test
    void anIdleHostIsPingedMoreRarely() {
        assertThat(pulse.isDue(2 * SECOND, 0, 0)).isFalse();
        assertThat(pulse.isDue(10 * SECOND, 0, 0)).isTrue();
    }
}
