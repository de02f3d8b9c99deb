package dev.toolfleet.worker.lane;

import java.time.Duration;
import java.util.OptionalLong;

import dev.toolfleet.worker.assignment.Position;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class LanesTest {
    private static final LaneLimits WIDE = new LaneLimits(10_000, 1 << 20, 5_000);

    @Test
    void callsOfOneInstanceRunOneAfterTheOther() {
        LanesFixture fleet = new LanesFixture(WIDE, 1);
        fleet.offer("i", "write", "a");
        fleet.offer("i", "write", "b");
        fleet.offer("i", "write", "c");

        fleet.running("a");
        fleet.end("a");
        fleet.running("b");
        fleet.end("b");
        fleet.running("c");

        assertThat(fleet.started).containsExactly("a", "b", "c");
    }

    @Test
    void aLookTellsWhoRunsAndWhoWaitsBehindItsOwnInstance() {
        LanesFixture fleet = new LanesFixture(WIDE, 1);
        fleet.offer("i", "write", "a");
        fleet.offer("i", "write", "b");
        fleet.offer("i", "write", "c");
        fleet.offer("j", "write", "d");
        fleet.running("a", "d");

        LaneSnapshot look = fleet.lanes.look();

        assertThat(look.active()).isEqualTo(2);
        assertThat(look.running()).isEqualTo(2);
        assertThat(look.partitions().values()).containsExactly(new LaneSnapshot.Load(2, 2, 2));
        assertThat(look.stalled()).isPositive();
    }

    @Test
    void totalsCountCallsBesideTheirLaneAndFindTheOldest() {
        LanesFixture fleet = new LanesFixture(WIDE, 1);
        assertThat(fleet.lanes.totals()).isEqualTo(new Lanes.Totals(0, 0, OptionalLong.empty()));
        fleet.offerAt(20, "i", "a");
        fleet.offerAt(30, "i", "b");
        fleet.offerAt(40, "i", "c");
        fleet.offerAt(10, "j", "d");
        fleet.running("a", "d");
        assertThat(fleet.lanes.totals()).isEqualTo(new Lanes.Totals(2, 2, OptionalLong.of(10)));

        fleet.slot("a").pass();
        fleet.end("d");

        fleet.running("a", "b");
        assertThat(fleet.lanes.totals()).isEqualTo(new Lanes.Totals(2, 1, OptionalLong.of(20)));
    }

    @Test
    void differentInstancesRunSideBySide() {
        LanesFixture fleet = new LanesFixture(WIDE, 1);
        fleet.offer("i", "write", "a");
        fleet.offer("j", "write", "b");

        fleet.running("a", "b");
    }

    @Test
    void readOnlyNeighboursOverlapAndEveryOtherCallRunsAlone() {
        LanesFixture fleet = new LanesFixture(WIDE, 1);
        fleet.offer("i", "read", "r1");
        fleet.offer("i", "read", "r2");
        fleet.offer("i", "write", "w");
        fleet.offer("i", "read", "r3");
        fleet.offer("i", "read", "r4");

        fleet.running("r1", "r2");
        fleet.end("r2");
        fleet.running("r1");
        assertThat(fleet.lanes.inFlight()).isEqualTo(4);
        fleet.end("r1");
        fleet.running("w");
        fleet.end("w");
        fleet.running("r3", "r4");
    }

    @Test
    void aReadOnlyCallNeverOvertakesAnExclusiveOne() {
        LanesFixture fleet = new LanesFixture(WIDE, 1);
        fleet.offer("i", "read", "r1");
        fleet.offer("i", "write", "w");
        fleet.running("r1");

        assertThat(fleet.offer("i", "read", "r2")).isTrue();

        assertThat(fleet.started).containsExactly("r1");
        fleet.end("r1");
        fleet.running("w");
    }

    @Test
    void aCallIsInFlightUntilItsResultIsCommitted() {
        LanesFixture fleet = new LanesFixture(new LaneLimits(2, 1 << 20, 5_000), 1);
        Position ended = new Position(0, LanesFixture.EPOCH, 1_000);
        fleet.uncommitted.add(ended, 10);
        assertThat(fleet.offer("i", "write", "a")).isTrue();

        assertThat(fleet.offer("j", "write", "b")).as("one runs, one is not committed").isFalse();
        assertThat(fleet.lanes.whyFull(0, LanesFixture.EPOCH, LaneSnapshot.Load.NONE))
                .isEqualTo(LaneSnapshot.Full.WORKER_FULL);

        fleet.uncommitted.remove(ended, 10);
        assertThat(fleet.offer("j", "write", "b")).isTrue();
    }

    @Test
    void resultsThatAreNotCommittedCountByTheirBytes() {
        LanesFixture fleet = new LanesFixture(new LaneLimits(10, 1_000, 5_000), 1);
        Position ended = new Position(0, LanesFixture.EPOCH, 1_000);
        fleet.uncommitted.add(ended, 1_000);

        assertThat(fleet.offer("i", "write", "a")).isFalse();

        fleet.uncommitted.remove(ended, 1_000);
        assertThat(fleet.offer("i", "write", "a")).isTrue();
    }

    @Test
    void whatAPersonApprovedDoesNotWaitForResultsThatCannotBeCommitted() {
        LanesFixture fleet = new LanesFixture(new LaneLimits(1, 1 << 20, 5_000), 1);
        fleet.uncommitted.add(new Position(0, LanesFixture.EPOCH, 1_000), 10);

        assertThat(fleet.offer("i", "write", "a")).isFalse();
        assertThat(fleet.approve("i", "write", "b")).isTrue();
    }

    @Test
    void callsInFlightAreBoundedAndARefusedCallIsTakenLater() {
        LanesFixture fleet = new LanesFixture(new LaneLimits(2, 1 << 20, 100), 1);
        assertThat(fleet.offer("i", "write", "a")).isTrue();
        assertThat(fleet.offer("j", "write", "b")).isTrue();

        assertThat(fleet.offer("k", "write", "c")).isFalse();
        assertThat(fleet.lanes.inFlight()).isEqualTo(2);
        fleet.running("a", "b");
        fleet.end("a");

        assertThat(fleet.offer("k", "write", "c")).isTrue();
        fleet.running("b", "c");
    }

    @Test
    void aFullPartitionLeavesRoomForItsSisters() {
        LanesFixture fleet = new LanesFixture(new LaneLimits(4, 1 << 20, 100), 2);
        assertThat(fleet.offer(0, "i", "write", "a", 1)).isTrue();
        assertThat(fleet.offer(0, "i", "write", "b", 1)).isTrue();

        assertThat(fleet.offer(0, "i", "write", "c", 1)).as("its share is two").isFalse();
        assertThat(fleet.offer(1, "j", "write", "d", 1)).isTrue();
        assertThat(fleet.lanes.inFlight(0, LanesFixture.EPOCH)).isEqualTo(2);
        assertThat(fleet.lanes.inFlight(1, LanesFixture.EPOCH)).isEqualTo(1);
    }

    @Test
    void bytesInFlightAreBoundedButASingleLargeCallPasses() {
        LanesFixture fleet = new LanesFixture(new LaneLimits(100, 1000, 100), 1);

        assertThat(fleet.offer(0, "i", "write", "large", 5_000)).isTrue();
        assertThat(fleet.offer(0, "j", "write", "small", 1)).isFalse();
        fleet.running("large");
        fleet.end("large");
        assertThat(fleet.offer(0, "j", "write", "small", 1)).isTrue();
    }

    @Test
    void aLaneHoldsSoManyWaitingCallsAndNoMore() {
        LanesFixture fleet = new LanesFixture(new LaneLimits(100, 1 << 20, 2), 1);

        assertThat(fleet.offer("i", "write", "runs")).isTrue();
        assertThat(fleet.offer("i", "write", "q1")).isTrue();
        assertThat(fleet.offer("i", "write", "q2")).isTrue();
        assertThat(fleet.offer("i", "write", "q3")).isFalse();
        assertThat(fleet.offer("j", "write", "other")).isTrue();
        assertThat(fleet.lanes.inFlight()).as("a refused call counts nowhere").isEqualTo(4);
    }

    @Test
    void anEmptyLaneVanishes() {
        LanesFixture fleet = new LanesFixture(WIDE, 1);
        for (int i = 0; i < 100; i++)
            fleet.offer("i" + i, "write", "c" + i);
        assertThat(fleet.lanes.active()).isEqualTo(100);

        for (int i = 0; i < 100; i++) {
            String id = "c" + i;
            await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(1))
                    .until(() -> fleet.runningNow().contains(id));
            fleet.end(id);
        }

        assertThat(fleet.lanes.active()).isZero();
        assertThat(fleet.lanes.inFlight()).isZero();
    }

    @Test
    void aSecondReleaseOfTheSameCallCountsForNothing() {
        LanesFixture fleet = new LanesFixture(WIDE, 1);
        fleet.offer("i", "write", "a");
        fleet.offer("i", "write", "b");
        fleet.offer("i", "write", "c");
        fleet.running("a");
        LaneSlot slot = fleet.slot("a");

        fleet.end("a");
        slot.release();
        slot.release();

        fleet.running("b");
        assertThat(fleet.lanes.inFlight()).isEqualTo(2);
    }

    @Test
    void dropForgetsWhatIsQueuedAndNothingElse() {
        LanesFixture fleet = new LanesFixture(WIDE, 2);
        fleet.offer(0, "i", "write", "runs", 1);
        fleet.offer(0, "i", "write", "queued", 1);
        fleet.offer(1, "j", "write", "other", 1);
        fleet.offer(1, "j", "write", "later", 1);
        fleet.running("runs", "other");

        fleet.lanes.drop(0, LanesFixture.EPOCH);

        assertThat(fleet.lanes.inFlight(0, LanesFixture.EPOCH)).isEqualTo(1);
        assertThat(fleet.lanes.inFlight(1, LanesFixture.EPOCH)).isEqualTo(2);
        fleet.end("runs", "other");
        fleet.running("later");
        assertThat(fleet.started).doesNotContain("queued");
        assertThat(fleet.lanes.active()).isEqualTo(1);
    }

    @Test
    void lostOwnershipStartsNothing() {
        LanesFixture fleet = new LanesFixture(WIDE, 1);
        fleet.offer("i", "write", "a");
        fleet.offer("i", "write", "b");
        fleet.running("a");

        fleet.own(0);
        fleet.end("a");
        fleet.offer("j", "write", "c");

        assertThat(fleet.started).containsExactly("a");
        assertThat(fleet.lanes.inFlight()).as("nothing of it is left behind").isZero();
        assertThat(fleet.lanes.active()).isZero();
    }

    @Test
    void aLongQueueOfALostAssignmentIsForgottenWithoutDeepCalls() {
        LanesFixture fleet = new LanesFixture(new LaneLimits(200_000, 1 << 30, 200_000), 1);
        for (int i = 0; i < 100_000; i++)
            fleet.offer("i", "write", "c" + i);
        fleet.running("c0");

        fleet.own(0);
        fleet.end("c0");

        assertThat(fleet.lanes.inFlight()).isZero();
        assertThat(fleet.lanes.active()).isZero();
    }

    @Test
    void limitsOutOfRangeAreRefusedByTheirNames() {
        assertThatThrownBy(() -> new LaneLimits(0, 1, 1)).hasMessageContaining("worker.maxInFlight")
                .hasMessageContaining("0");
        assertThatThrownBy(() -> new LaneLimits(1, 0, 1)).hasMessageContaining("worker.maxInFlightBytes");
        assertThatThrownBy(() -> new LaneLimits(1, 1, -3)).hasMessageContaining("worker.lane.maxQueued")
                .hasMessageContaining("-3");
    }
}
