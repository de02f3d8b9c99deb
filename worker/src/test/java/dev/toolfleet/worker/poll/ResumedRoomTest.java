package dev.toolfleet.worker.poll;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

import dev.toolfleet.worker.commit.DoneOffsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// The room that outcomes of pending calls take.
class ResumedRoomTest extends ResumedFixture {

    @Test
    void noMoreAreOnTheirWayThanThereIsRoomFor() throws InterruptedException {
        loop.opened(0, 7, DoneOffsets.from(0));
        turn(2);
        LongStream.range(0, ResumedLoop.MAX_IN_FLIGHT + 2L)
                .forEach(offset -> record(0, offset, ResumedRecords.outcome()));
        turn(3);
        assertThat(done).hasSize(ResumedLoop.MAX_IN_FLIGHT);

        done.getFirst().run();
        done.getFirst().run();
        turn(2);
        assertThat(done).as("one place was freed, however often it was said").hasSize(ResumedLoop.MAX_IN_FLIGHT + 1);
    }

    @Test
    void outcomesOfAPartitionThatCannotBeCommittedStopNoOther() throws InterruptedException {
        loop.opened(0, 7, DoneOffsets.from(0));
        loop.opened(1, 8, DoneOffsets.from(0));
        turn(2);
        LongStream.range(0, ResumedLoop.MAX_IN_FLIGHT + 2L)
                .forEach(offset -> record(0, offset, ResumedRecords.outcome()));
        turn(2);
        record(1, 0, ResumedRecords.outcome());
        record(1, 1, ResumedRecords.grant());

        turn(3);

        assertThat(told).contains("end 1@8/0", "offer 1@8/1");
        assertThat(consumer.paused()).containsExactly(on(0));
    }

    @Test
    void aQuarantinedPartitionIsNotReadAndBeginsNothing() throws InterruptedException {
        loop.opened(0, 7, DoneOffsets.from(3));
        turn(2);
        loop.quarantine(0, 6, true);
        turn(2);
        assertThat(consumer.paused()).as("news of another assignment").isEmpty();
        record(0, 3, ResumedRecords.outcome());
        full.add(0);
        record(0, 4, ResumedRecords.grant());
        turn(2);
        loop.quarantine(0, 7, true);
        full.clear();
        turn(2);
        record(0, 5, ResumedRecords.outcome());
        turn(2);
        assertThat(told).filteredOn(what -> !what.startsWith("tracked")).containsExactly("end 0@7/3");

        loop.quarantine(0, 7, false);
        turn(3);

        assertThat(told).filteredOn(what -> !what.startsWith("tracked")).containsExactly("end 0@7/3", "offer 0@7/4",
                "end 0@7/5");
    }

    @Test
    void manyLargeOutcomesAreNotOnTheirWayAtOnce() throws InterruptedException {
        loop.opened(0, 7, DoneOffsets.from(0));
        loop.opened(1, 8, DoneOffsets.from(0));
        turn(2);
        int bytes = (int) ResumedLoop.MAX_BYTES_IN_FLIGHT / 2;
        for (int partition = 0; partition < 2; partition++)
            for (long offset = 0; offset < 3; offset++)
                consumer.addRecord(new ConsumerRecord<>(TOPIC, partition, offset, 0, TimestampType.LOG_APPEND_TIME, 1,
                        bytes, "i".getBytes(UTF_8), ResumedRecords.outcome(), new RecordHeaders(), Optional.empty()));
        turn(3);
        assertThat(done).as("two of one partition and the first of the other").hasSize(3);

        loop.quarantine(0, 7, true);
        turn(3);
        assertThat(done).as("a quarantined partition takes no room").hasSize(4);
    }

    @Test
    void whatHadNoRoomWhenItsAssignmentEndedIsLeftToTheNextOwner() throws InterruptedException {
        loop.opened(0, 7, DoneOffsets.from(0));
        turn(2);
        LongStream.range(0, ResumedLoop.MAX_IN_FLIGHT + 2L)
                .forEach(offset -> record(0, offset, ResumedRecords.outcome()));
        turn(2);

        loop.closed(0, 7);
        List.copyOf(done).forEach(Runnable::run);
        turn(3);

        assertThat(done).hasSize(ResumedLoop.MAX_IN_FLIGHT);
        assertThat(consumer.assignment()).isEmpty();
    }
}
