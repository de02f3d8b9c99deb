package dev.toolfleet.worker.poll;

import java.util.stream.LongStream;

import dev.toolfleet.worker.commit.DoneOffsets;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Rests of the loop, in which calls gather before the next poll.
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
    void callsThatComeOneByOneDo() {
        fleet.calls(0, 0);
        assertThat(rests()).as("perhaps the rest of a fetch").isFalse();
        fleet.calls(0, 1);
        assertThat(rests()).isTrue();
        fleet.calls(0, 2);
        assertThat(rests()).isTrue();
    }

    @Test
    void theRestOfAFetchDoesNot() {
        fleet.calls(0, LongStream.range(0, PollConfig.MANY).toArray());
        assertThat(rests()).isFalse();
        fleet.calls(0, LongStream.range(PollConfig.MANY, 2 * PollConfig.MANY - 1).toArray());
        assertThat(rests()).isFalse();
        fleet.calls(0, LongStream.range(2 * PollConfig.MANY - 1, 3 * PollConfig.MANY).toArray());
        assertThat(rests()).isFalse();
    }
}
