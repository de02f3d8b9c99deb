package dev.toolfleet.worker.commit;

import java.util.Map;

import org.apache.kafka.common.errors.InvalidTimestampException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// A record that is refused because of the machine's clock is no bad record.
class WrongClockTest {

    @Test
    void aRefusedTimeReplacesNoResultAndEndsWithTheClock() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 4);
        fleet.refused = value -> new InvalidTimestampException("3 h ahead");
        fleet.finish(0, 1, 0, 1);
        fleet.settle();

        assertThat(fleet.loop.clockRefused()).isEqualTo("results");
        assertThat(fleet.published()).isEmpty();
        assertThat(fleet.told).as("no partition sits out").isEmpty();

        fleet.refused = value -> null;
        fleet.settle();
        assertThat(fleet.published()).as("what waited is what is published").containsExactly("0/0", "0/1");
        assertThat(fleet.loop.clockRefused()).isNull();
    }
}
