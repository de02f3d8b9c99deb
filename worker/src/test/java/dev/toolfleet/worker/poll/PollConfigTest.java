package dev.toolfleet.worker.poll;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PollConfigTest {
    private static final PollConfig CONFIG = PollConfig.of("tool.call");

    @Test
    void restsOnlyWhenACallOrAFewCame() {
        assertThat(CONFIG.rest()).isPositive();
        assertThat(CONFIG.restAfter(0)).as("the poll itself waited").isZero();
        assertThat(CONFIG.restAfter(1)).isEqualTo(CONFIG.rest());
        assertThat(CONFIG.restAfter(PollConfig.MANY - 1)).isEqualTo(CONFIG.rest());
        assertThat(CONFIG.restAfter(PollConfig.MANY)).as("a backlog").isZero();
    }
}
