package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.LongStream;

import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

/// Which calls a dead owner of a partition may have had.
class SuspectsTest {
    private final PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10),
            System::nanoTime);
    private final PartitionStates states = new PartitionStates();

    SuspectsTest() {
        states.opened(0, 1, state);
    }

    @Test
    void withoutADeathNoCallIsSuspected() {
        offered(40, 41);

        assertThat(suspects(40, 41)).isEmpty();
        assertThat(state.suspects().contains(Position.resumed(0, 1, 0))).isFalse();
    }

    @Test
    void whatWasAppendedAfterTheTakeOverIsNotSuspected() {
        state.suspects().restore(dead(50, 7, 0));
        offered(48, 49, 50);

        assertThat(suspects(48, 49, 50)).containsExactly(48L, 49L);
        assertThat(state.suspects().contains(Position.resumed(0, 1, 6))).isTrue();
        assertThat(state.suspects().contains(Position.resumed(0, 1, 7))).isFalse();
    }

    @Test
    void theBacklogBehindWhatTheOwnerCouldHoldIsNotSuspected() {
        state.suspects().restore(dead(50, 0, 3));
        offered(40, 44, 47, 48, 49);

        assertThat(suspects(40, 44, 47, 48, 49)).containsExactly(40L, 44L, 47L);
    }

    // Otherwise: the group's offsets were set back, and answered calls take the places of those that the owner had.
    @Test
    void aCallThatHasItsResultIsNotCounted() {
        state.restoreStart(new LogStart(40, 50, 0, true, LogStart.Doubt.NONE));
        state.restoreAnswer("answered", 40, 0, new EarlierAnswer(Digest128.of("fingerprint"), 1, 0), false);
        state.suspects().restore(dead(50, 0, 2));
        offered(40, 44, 47, 48);

        assertThat(suspects(44, 47, 48)).containsExactly(44L, 47L);
    }

    @Test
    void aCallThatIsRefusedAndOfferedAgainCountsOnce() {
        state.suspects().restore(dead(50, 0, 2));
        states.offer(call(40), _ -> false);
        states.offer(call(40), _ -> false);
        offered(40, 41, 42);

        assertThat(suspects(40, 41, 42)).containsExactly(40L, 41L);
    }

    @Test
    void aCallIsCountedBeforeItCanStart() {
        state.suspects().restore(dead(50, 0, 1));

        states.offer(call(40), _ -> {
            assertThat(suspects(40, 41)).containsExactly(40L);
            return true;
        });
    }

    private void offered(long... offsets) {
        for (long offset : offsets)
            states.offer(call(offset), _ -> true);
    }

    private LongStream suspects(long... offsets) {
        return LongStream.of(offsets).filter(offset -> state.suspects().contains(new Position(0, 1, offset)));
    }

    private static Arrival.Call call(long offset) {
        return new Arrival.Call(new Position(0, 1, offset),
                ToolCall.of("c" + offset, "t__x", JsonNodeFactory.instance.objectNode(), "i"), 0, null, 0);
    }

    private static PartitionOwner dead(long callsEnd, long resumedEnd, int maxInFlight) {
        return new PartitionOwner("w", "m", Instant.EPOCH, maxInFlight, callsEnd, resumedEnd, null);
    }
}
