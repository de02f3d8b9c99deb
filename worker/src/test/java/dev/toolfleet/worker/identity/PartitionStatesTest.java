package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.ToolRef;
import org.jspecify.annotations.Nullable;
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
        PartitionState state = new PartitionState(TWO, System::nanoTime);
        for (long time : times)
            state.restoreAnswer("call " + time, time, -1, new EarlierAnswer(Digest128.of("same"), time, time), false);
        return state;
    }

    @Test
    void pendingCallsAreCountedByToolUntilTheyEndOrTheirPartitionGoes() {
        ToolRef tool = new ToolRef("acme", "builds", "start");
        List<ToolRef> freed = new ArrayList<>();
        states.tell(freed::add);
        PartitionState state = new PartitionState(TWO, System::nanoTime);
        state.restorePending(waiting("a", tool));
        state.restorePending(waiting("b", tool));
        state.restorePending(waiting("b", tool));
        state.restorePending(waiting("approval", null));
        states.opened(0, 1, state);

        assertThat(states.pending(tool)).isEqualTo(2);
        state.restoreClosed("a");
        assertThat(states.pending(tool)).isEqualTo(1);
        states.closed(0, 1);
        assertThat(states.pending(tool)).isZero();
        assertThat(freed).containsExactly(tool);
    }

    private static OpenHandle waiting(String identity, @Nullable ToolRef tool) {
        return new OpenHandle(identity, "sha256:" + "ab".repeat(32), "h-" + identity, 1, "i", "c1", null, null, null,
                Instant.EPOCH, tool, null);
    }
}
