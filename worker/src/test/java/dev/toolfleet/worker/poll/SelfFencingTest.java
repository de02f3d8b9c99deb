package dev.toolfleet.worker.poll;

import java.util.concurrent.CompletableFuture;

import dev.toolfleet.worker.commit.DoneOffsets;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class SelfFencingTest {

    @Test
    void aWorkerThatTheGroupHasNotHeardOfGivesEverythingUp() {
        PollFixture fleet = started();

        fleet.lease.expired = true;
        assertThat(fleet.snapshot()).as("before the poll thread does anything").isEqualTo("[]");
        fleet.loop.turn();

        assertThat(fleet.told).containsExactly("cancel 0", "lost 0 owning []");
        assertThat(fleet.loop.allStarted()).isFalse();
        assertThat(fleet.consumer.assignment()).as("still a member").containsExactly(PollFixture.partition(0));
    }

    @Test
    void aWorkerThatIsHeardAgainTakesWhatIsStillAssignedToItOverAnew() {
        PollFixture fleet = started();
        long before = requireNonNull(fleet.epochs.get(0));
        fleet.lease.expired = true;
        fleet.loop.turn();

        fleet.lease.expired = false;
        fleet.loop.turn();
        assertThat(fleet.told).endsWith("take over 0");
        assertThat(fleet.epochs.get(0)).isGreaterThan(before);
        assertThat(fleet.snapshot()).isEqualTo("[0]");

        fleet.adopt(0, DoneOffsets.from(1));
        fleet.calls(0, 1);
        fleet.loop.turn();
        assertThat(fleet.offered).as("what was dropped is read again").containsExactly(0L, 1L, 1L);
    }

    // Member and generation are as before: the broker would accept what the old assignment is about to commit.
    @Test
    void nothingIsTakenOverAnewWhileTheOldAssignmentMayStillBePublished() {
        PollFixture fleet = started();
        fleet.silent = new CompletableFuture<>();
        fleet.lease.expired = true;
        fleet.loop.turn();

        fleet.lease.expired = false;
        fleet.loop.turn();
        assertThat(fleet.told).doesNotContain("take over 0");
        assertThat(fleet.ownership.current().epochs()).isEmpty();

        fleet.silent.complete(null);
        fleet.loop.turn();
        assertThat(fleet.told).endsWith("take over 0");
    }

    @Test
    void aLeaseThatWasAwayBetweenTwoTurnsEndsEveryAssignmentToo() {
        PollFixture fleet = started();

        fleet.lease.expired = true;
        assertThat(fleet.ownership.current().epochs()).as("a call was dropped").isEmpty();
        fleet.lease.expired = false;
        fleet.loop.turn();

        assertThat(fleet.told).containsExactly("cancel 0", "lost 0 owning []", "take over 0");
    }

    @Test
    void anAssignmentThatBeganWhileTheLeaseWasAwayBeginsAnew() {
        PollFixture fleet = new PollFixture();
        fleet.lease.expired = true;
        fleet.rebalance(1);
        fleet.adopt(1, DoneOffsets.from(0));

        fleet.loop.turn();
        assertThat(fleet.told).containsExactly("take over 1", "cancel 1", "lost 1 owning []");
        fleet.lease.expired = false;
        fleet.loop.turn();

        assertThat(fleet.told).endsWith("take over 1");
    }

    @Test
    void whatIsRevokedWithoutALeaseIsLost() {
        PollFixture fleet = started();
        fleet.committed = new CompletableFuture<>();
        fleet.lease.expired = true;

        fleet.rebalance();

        assertThat(fleet.told).containsExactly("cancel 0", "lost 0 owning []");
    }

    /// Starts with one partition and two calls that were read.
    private static PollFixture started() {
        PollFixture fleet = new PollFixture(0);
        fleet.adopt(0, DoneOffsets.from(0));
        fleet.calls(0, 0, 1);
        fleet.loop.turn();
        fleet.told.clear();
        return fleet;
    }
}
