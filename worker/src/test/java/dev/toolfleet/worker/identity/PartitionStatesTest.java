package dev.toolfleet.worker.identity;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PartitionStatesTest {
    private static final DedupeConfig TWO = new DedupeConfig(Duration.ofMinutes(10), 2);

    private final PartitionStates states = new PartitionStates();

    @Test
    void theShortestMemoryIsThatOfThePartitionWhoseOldestAnswerIsYoungest() {
        assertThat(states.rememberedSince()).isEmpty();

        states.opened(0, 1, answered(10, 20));
        states.opened(1, 2, answered(15));
        states.opened(2, 3, answered());

        assertThat(states.answers()).isEqualTo(3);
        assertThat(states.rememberedSince()).hasValue(15);
    }

    @Test
    void answersThatLeaveForWantOfRoomAreCountedAlsoAfterTheirAssignment() {
        states.opened(0, 1, answered(10, 20));
        assertThat(states.forgotten()).isZero();

        states.opened(1, 2, answered(10, 20, 30, 40, 50));
        assertThat(states.forgotten()).isEqualTo(3);
        assertThat(states.answers()).isEqualTo(4);

        states.closed(1, 2);
        states.closed(1, 2);
        states.closed(0, 7);
        assertThat(states.forgotten()).isEqualTo(3);
    }

    /// A state with an answer at each of these times.
    private static PartitionState answered(long... times) {
        PartitionState state = new PartitionState(TWO);
        for (long time : times)
            state.restoreAnswer("call " + time, time, new Answer(Digest128.of("same"), time, time));
        return state;
    }
}
