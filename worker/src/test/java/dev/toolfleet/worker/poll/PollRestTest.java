package dev.toolfleet.worker.poll;

import java.util.Map;
import java.util.stream.LongStream;

import dev.toolfleet.worker.commit.DoneOffsets;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.worker.poll.PollFixture.partition;
import static org.assertj.core.api.Assertions.assertThat;

/// When the loop lets calls gather before it polls again.
class PollRestTest {
    private final PollFixture fleet = started();

    private static PollFixture started() {
        PollFixture fleet = new PollFixture(0);
        fleet.loop.turn();
        fleet.adopt(0, DoneOffsets.from(0));
        fleet.loop.turn();
        return fleet;
    }

    private boolean rests() {
        return fleet.loop.comeOneByOne(fleet.loop.turn());
    }

    @Test
    void aPollThatWaitedInVainNeedsNoRest() {
        assertThat(rests()).isFalse();
    }

    @Test
    void aFewCallsAndNoneBehindThemDo() {
        fleet.calls(0, LongStream.range(0, PollConfig.MANY - 1).toArray());
        assertThat(rests()).isTrue();
    }

    @Test
    void manyCallsDoNot() {
        fleet.calls(0, LongStream.range(0, PollConfig.MANY).toArray());
        assertThat(rests()).isFalse();
    }

    @Test
    void aFewOfABacklogDoNot() {
        fleet.calls(0, 0, 1);
        fleet.consumer.updateEndOffsets(Map.of(partition(0), 1_000L));
        assertThat(rests()).isFalse();
    }
}
