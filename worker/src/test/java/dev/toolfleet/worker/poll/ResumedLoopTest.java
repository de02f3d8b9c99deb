package dev.toolfleet.worker.poll;

import java.util.List;

import dev.toolfleet.worker.commit.DoneOffsets;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class ResumedLoopTest extends ResumedFixture {

    @Test
    void outcomesOfAnAssignmentAreTrackedAndThenEnded() throws InterruptedException {
        loop.opened(0, 7, DoneOffsets.from(2));
        turn(2);
        for (long offset = 0; offset < 5; offset++)
            record(0, offset, ResumedRecords.outcome());

        turn(2);

        assertThat(told).containsExactly("tracked 0@7 [2, 3, 4] next 5", "end 0@7/2", "end 0@7/3", "end 0@7/4");
    }

    @Test
    void whatIsNoOutcomeOrNotUnderstoodIsPassedOver() throws InterruptedException {
        loop.opened(0, 7, DoneOffsets.from(0));
        turn(2);
        record(0, 0, ResumedRecords.handOver());
        record(0, 1, "garbage".getBytes(UTF_8));
        record(0, 2, null);
        record(0, 3, ResumedRecords.outcome());

        turn(2);

        assertThat(told).containsExactly("tracked 0@7 [3] next 4", "end 0@7/3");
        assertThat(failures).isEmpty();
    }

    @Test
    void whatAnEarlierOwnerFinishedBeyondItsFrontierIsNotEndedAgain() throws InterruptedException {
        loop.opened(0, 7, new DoneOffsets(1, List.of(1, 2)));
        turn(2);
        for (long offset = 0; offset < 5; offset++)
            record(0, offset, ResumedRecords.outcome());

        turn(2);

        assertThat(told).containsExactly("tracked 0@7 [1, 4] next 5", "end 0@7/1", "end 0@7/4");
    }

    @Test
    void theEndOfAnEarlierAssignmentDoesNotEndTheNext() throws InterruptedException {
        loop.opened(0, 7, DoneOffsets.from(0));
        loop.closed(0, 7);
        loop.opened(0, 8, DoneOffsets.from(1));
        loop.closed(0, 7);
        turn(2);
        record(0, 0, ResumedRecords.outcome());
        record(0, 1, ResumedRecords.outcome());

        turn(2);

        assertThat(told).containsExactly("tracked 0@8 [1] next 2", "end 0@8/1");
    }

    @Test
    void aNewAssignmentDoesNotMoveItsSisters() throws InterruptedException {
        loop.opened(0, 7, DoneOffsets.from(0));
        turn(2);
        record(0, 0, ResumedRecords.outcome());
        turn(2);
        loop.opened(1, 8, DoneOffsets.from(0));
        turn(2);
        record(0, 1, ResumedRecords.outcome());
        record(1, 0, ResumedRecords.outcome());
        turn(3);

        assertThat(told).filteredOn(what -> what.startsWith("end")).containsExactlyInAnyOrder("end 0@7/0", "end 0@7/1",
                "end 1@8/0");
    }

    @Test
    void anEndThatBreaksStopsTheWorkerInsteadOfLosingIt() throws InterruptedException {
        broken = new IllegalStateException("a bug");
        loop.opened(0, 7, DoneOffsets.from(0));
        turn(2);
        record(0, 0, ResumedRecords.outcome());

        turn(2);

        assertThat(failures).containsExactly(broken);
    }

    @Test
    void aBrokerThatDoesNotAnswerIsAskedAgain() throws InterruptedException {
        loop.opened(0, 7, DoneOffsets.from(0));
        turn(2);
        record(0, 0, ResumedRecords.outcome());
        consumer.setPollException(new org.apache.kafka.common.errors.TimeoutException("away"));

        turn(3);

        assertThat(told).endsWith("end 0@7/0");
    }

    private List<String> offered() {
        return told.stream().filter(what -> what.startsWith("offer")).toList();
    }

    @Test
    void approvedCallsAreTrackedAndOfferedToTheirLanes() throws InterruptedException {
        loop.opened(0, 7, DoneOffsets.from(0));
        turn(2);
        record(0, 0, ResumedRecords.grant());
        record(0, 1, ResumedRecords.outcome());

        turn(2);

        assertThat(told).containsExactlyInAnyOrder("tracked 0@7 [0, 1] next 2", "offer 0@7/0", "end 0@7/1");
        assertThat(told.getFirst()).startsWith("tracked");
    }

    @Test
    void aFullLaneHoldsItsPartitionAndNoOther() throws InterruptedException {
        full.add(0);
        loop.opened(0, 7, DoneOffsets.from(3));
        loop.opened(1, 8, DoneOffsets.from(3));
        turn(2);
        record(0, 3, ResumedRecords.grant());
        turn(2);
        record(0, 4, ResumedRecords.grant());
        record(1, 3, ResumedRecords.grant());
        turn(3);
        assertThat(offered()).containsExactly("offer 1@8/3");
        assertThat(consumer.paused()).containsExactly(on(0));

        full.clear();
        turn(3);

        assertThat(offered()).containsExactly("offer 1@8/3", "offer 0@7/3", "offer 0@7/4");
    }

    @Test
    void whatAnEarlierOwnerBeganIsOfferedFirstAndReadThoughOthersAreHeld() throws InterruptedException {
        begun.add(2L);
        full.add(0);
        loop.opened(0, 7, DoneOffsets.from(0));
        turn(2);
        record(0, 0, ResumedRecords.grant());
        turn(3);
        assertThat(consumer.paused()).as("not all was read that calls wait for").isEmpty();
        record(0, 1, ResumedRecords.grant());
        record(0, 2, ResumedRecords.grant());
        turn(2);
        full.clear();

        turn(2);

        assertThat(offered()).containsExactly("offer 0@7/2", "offer 0@7/0", "offer 0@7/1");
        assertThat(settled).last().isEqualTo("0/3");
    }
}
