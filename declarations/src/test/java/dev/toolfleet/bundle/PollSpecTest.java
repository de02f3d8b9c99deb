package dev.toolfleet.bundle;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PollSpecTest {

    @Test
    void theIntervalGrowsUntilItDoesNot() {
        PollSpec poll = new PollSpec(Duration.ofSeconds(10), 2, Duration.ofSeconds(35));

        assertThat(poll.after(0)).isEqualTo(Duration.ofSeconds(10));
        assertThat(poll.after(1)).isEqualTo(Duration.ofSeconds(20));
        assertThat(poll.after(2)).isEqualTo(Duration.ofSeconds(35));
        assertThat(poll.after(Integer.MAX_VALUE)).isEqualTo(Duration.ofSeconds(35));
    }

    @Test
    void questionsWithoutAPauseAreRefused() {
        assertThatThrownBy(() -> new PollSpec(Duration.ZERO, 1, Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("interval");
        assertThatThrownBy(() -> new PollSpec(Duration.ofSeconds(2), 1, Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PollSpec(Duration.ofSeconds(1), Double.NaN, Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
