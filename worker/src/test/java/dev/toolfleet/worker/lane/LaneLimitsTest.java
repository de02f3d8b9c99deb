package dev.toolfleet.worker.lane;

import dev.toolfleet.worker.assignment.Load;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Bounds on the calls that a worker takes in.
class LaneLimitsTest {
    private static final Load NOTHING = new Load(0, 0);

    private final LaneLimits limits = new LaneLimits(4, 100, 10);

    // Otherwise: more calls are lost with its owner than its heir suspects, and one of these kills two workers more.
    @Test
    void aPartitionThatCannotCommitTakesNoMoreThanItsShare() {
        assertThat(limits.admits(2, new Load(1, 10), NOTHING)).isTrue();
        assertThat(limits.admits(2, new Load(2, 20), NOTHING)).isFalse();
    }

    @Test
    void aRecordAboveTheBoundPassesWhenNothingElseIsInFlight() {
        assertThat(limits.admits(2, NOTHING, NOTHING)).isTrue();
        assertThat(limits.admits(2, NOTHING, new Load(1, 100))).isFalse();
    }

    @Test
    void aFullPartitionLeavesRoomToItsSisters() {
        assertThat(limits.admits(2, new Load(2, 20), new Load(2, 20))).isFalse();
        assertThat(limits.admits(2, NOTHING, new Load(2, 20))).isTrue();
        assertThat(limits.admits(2, NOTHING, new Load(4, 40))).isFalse();
    }
}
