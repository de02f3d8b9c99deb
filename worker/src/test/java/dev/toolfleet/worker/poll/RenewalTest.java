package dev.toolfleet.worker.poll;

import java.util.concurrent.CompletableFuture;

import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.Incarnation;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.worker.poll.PollFixture.partition;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Partitions whose log is another one than they were taken over from are taken over anew by the worker that has them.
class RenewalTest {
    // Otherwise: the ledger throws and the worker ends, and then its heir does.
    @Test
    void aPartitionWhoseClientWentBackIsTakenOverAnew() {
        PollFixture fleet = new PollFixture(0, 1);
        fleet.adopt(0, DoneOffsets.from(0));
        fleet.adopt(1, DoneOffsets.from(0));
        fleet.calls(0, 0, 1, 2, 3);
        fleet.loop.turn();
        fleet.told.clear();

        fleet.consumer.seek(partition(0), 2);
        fleet.calls(0, 2);
        fleet.loop.turn();
        fleet.loop.turn();

        assertThat(fleet.told).as("what has finished is published; calls that must not run twice run on")
                .containsSubsequence("stop 0 owning [0, 1]", "flush owning [0, 1]", "cancel 0", "closed 0 owning [1]",
                        "take over 0");
        assertThat(fleet.consumer.paused()).containsExactly(partition(0));
    }

    @Test
    void partitionsOfATopicThatWasMadeAnewAreTakenOverAnew() {
        PollFixture fleet = new PollFixture(0, 1);
        fleet.adopt(0, DoneOffsets.from(40));
        fleet.loop.turn();
        fleet.told.clear();

        fleet.loop.logs(PollFixture.LOG);
        fleet.loop.turn();
        assertThat(fleet.told).as("the same log").isEmpty();
        fleet.loop.logs(new Incarnation("calls-2", "resumed-1", "cluster"));
        fleet.loop.turn();
        fleet.loop.turn();

        assertThat(fleet.told).as("1 is being taken over anyway").contains("closed 0 owning [1]", "take over 0")
                .doesNotContain("take over 1");
    }

    // Member and generation are as before, so the broker would accept a transaction of the old assignment.
    @Test
    void itBeginsOnceNothingOfTheOldAssignmentIsPublishedAnyMore() {
        PollFixture fleet = new PollFixture(0);
        fleet.adopt(0, DoneOffsets.from(0));
        fleet.loop.turn();
        fleet.told.clear();
        fleet.silent = new CompletableFuture<>();

        fleet.loop.renew(0, requireNonNull(fleet.epochs.get(0)));
        fleet.loop.turn();
        fleet.loop.turn();
        assertThat(fleet.told).doesNotContain("take over 0");
        fleet.silent.complete(null);
        fleet.loop.turn();

        assertThat(fleet.told).endsWith("take over 0");
    }

    @Test
    void aPartitionThatIsRevokedMeanwhileIsNotTakenOver() {
        PollFixture fleet = new PollFixture(0);
        fleet.adopt(0, DoneOffsets.from(0));
        fleet.loop.turn();
        fleet.silent = new CompletableFuture<>();
        fleet.loop.renew(0, requireNonNull(fleet.epochs.get(0)));
        fleet.loop.turn();
        fleet.told.clear();

        fleet.rebalance();
        fleet.silent.complete(null);
        fleet.loop.turn();

        assertThat(fleet.told).doesNotContain("take over 0");
    }
}
