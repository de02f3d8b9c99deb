package dev.toolfleet.streams;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static dev.toolfleet.streams.PollPace.QUIET;
import static dev.toolfleet.streams.PollPace.REST;
import static org.assertj.core.api.Assertions.assertThat;

class PollPaceTest {
    private static final Duration ASKED = Duration.ofMillis(10);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final PollPace pace = new PollPace(now::get);

    @Test
    void restsOnceNothingHasComeForAWhile() {
        assertThat(pace.of(ASKED)).as("it just started").isEqualTo(ASKED);
        now.addAndGet(QUIET.toNanos());
        assertThat(pace.of(ASKED)).isEqualTo(ASKED);
        now.addAndGet(1);
        assertThat(pace.of(ASKED)).isEqualTo(REST);
        pace.came();
        assertThat(pace.of(ASKED)).as("what came is to be committed").isEqualTo(ASKED);
    }

    @Test
    void neverWaitsWhereThereIsOtherWorkAndNeverLessThanAskedFor() {
        now.addAndGet(QUIET.toNanos() + 1);
        assertThat(pace.of(Duration.ZERO)).isZero();
        assertThat(pace.of(REST.plusMillis(1))).isEqualTo(REST.plusMillis(1));
    }
}
