package dev.toolfleet.worker.poll;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.identity.Arrival;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class ResumedLoopTest {
    private static final String TOPIC = "resumed";

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final List<String> told = new ArrayList<>();
    private final List<Runnable> done = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private @Nullable RuntimeException broken;
    /// Partitions whose lanes take nothing in.
    private final Set<Integer> full = new HashSet<>();
    /// Approvals whose calls an earlier owner began.
    private final Set<Long> begun = new HashSet<>();
    private final List<String> settled = new ArrayList<>();
    private final ResumedLoop loop = new ResumedLoop(TOPIC, consumer, new ResumedLoop.Ends() {
        @Override
        public void tracked(int partition, long epoch, Offsets offsets, long next) {
            List<Long> read = new ArrayList<>();
            offsets.forEach(read::add);
            told.add("tracked " + partition + "@" + epoch + " " + read + " next " + next);
        }

        @Override
        public void end(Position at, ResumedCall call, Runnable release) {
            if (broken != null)
                throw broken;
            told.add("end " + at.partition() + "@" + at.epoch() + "/" + at.offset());
            done.add(release);
        }

        @Override
        public boolean offer(Arrival.Granted granted) {
            Position at = granted.position();
            if (full.contains(at.partition()))
                return false;
            told.add("offer " + at.partition() + "@" + at.epoch() + "/" + at.offset());
            done.add(granted.done());
            return true;
        }

        @Override
        public boolean began(Arrival.Granted granted) {
            return begun.contains(granted.position().offset());
        }

        @Override
        public boolean settled(int partition, long epoch, long position) {
            settled.add(partition + "/" + position);
            return position >= 3;
        }
    }, failures::add, Runnable::run, ResumedLoop.MAX_IN_FLIGHT);

    ResumedLoopTest() {
        consumer.updateBeginningOffsets(Map.of(on(0), 0L, on(1), 0L));
    }

    private static TopicPartition on(int partition) {
        return new TopicPartition(TOPIC, partition);
    }

    private void turn(int times) throws InterruptedException {
        for (int i = 0; i < times; i++)
            loop.turn();
    }

    private void record(int partition, long offset, byte @Nullable [] value) {
        consumer.addRecord(new ConsumerRecord<>(TOPIC, partition, offset, "i".getBytes(UTF_8), value));
    }

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
