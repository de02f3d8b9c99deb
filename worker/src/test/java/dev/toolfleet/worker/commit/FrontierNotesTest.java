package dev.toolfleet.worker.commit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import dev.toolfleet.wire.PartitionFrontier;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.assignment.Position.Source;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// A partition's frontier is journaled with its offsets, and another log ends its assignment.
class FrontierNotesTest {
    private static final Incarnation LOG = new Incarnation("id", "resumed", "cluster");

    private final AtomicLong nanos = new AtomicLong();
    private final List<PartitionFrontier> made = new ArrayList<>();
    private final PartitionCommit partition = new PartitionCommit(1,
            new AssignmentStart(new DoneOffsets(10, List.of(), 4), DoneOffsets.from(0), notes(LOG), false, true), 4096);

    // Otherwise: an offset of a topic made anew is compared with the frontier of the old one, and ignored.
    @Test
    void theFirstCommitOfAnAssignmentCarriesTheFrontier() {
        read(10, 13, 5, 7_000, 9_000);
        finish(10);

        Batch batch = requireNonNull(partition.take(new TransactionRoom(100, 1_000)));

        assertThat(batch.frontier()).isNotNull();
        assertThat(made).containsExactly(
                new PartitionFrontier(11, Instant.ofEpochMilli(7_000), "id", 5, "resumed", "cluster"));
    }

    @Test
    void anAssignmentThatReadsNothingJournalsTheFrontierWhereItBegins() {
        assertThat(partition.hasWork()).isTrue();

        partition.committed(requireNonNull(partition.take(new TransactionRoom(100, 1_000))));

        assertThat(made).extracting(PartitionFrontier::offset).containsExactly(10L);
        assertThat(partition.hasWork()).isFalse();
    }

    @Test
    void itIsJournaledOnceAMinuteWhileItMoves() {
        read(10, 20, 5, 7_000, 9_000);
        commit(10);
        commit(11);
        assertThat(made).hasSize(1);
        assertThat(partition.hasWork()).isFalse();

        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(partition.hasWork()).as("an idle partition too").isTrue();
        partition.committed(requireNonNull(partition.take(new TransactionRoom(100, 1_000))));
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());

        assertThat(partition.hasWork()).as("it did not move").isFalse();
        assertThat(made).extracting(PartitionFrontier::offset).containsExactly(11L, 12L);
    }

    // Otherwise: offsets and results expire together in a fleet that is stopped, and the calls of the last minute run again.
    @Test
    void whatHasMovedIsJournaledBeforeAnAssignmentEnds() {
        read(10, 20, 5, 7_000, 9_000);
        commit(10);
        commit(11);
        partition.hurry();

        assertThat(partition.hasWork()).isTrue();
        assertThat(requireNonNull(partition.take(new TransactionRoom(100, 1_000))).frontier()).isNotNull();
    }

    @Test
    void aFrontierThatWasNotCommittedGoesWithTheNextTransaction() {
        read(10, 13, 5, 7_000, 9_000);
        finish(10);
        partition.putBack(requireNonNull(partition.take(new TransactionRoom(100, 1_000))));

        assertThat(requireNonNull(partition.take(new TransactionRoom(100, 1_000))).frontier()).isNotNull();
    }

    @Test
    void aFrontierThatMayHaveBeenRefusedStaysAwayForAMinute() {
        read(10, 13, 5, 7_000, 9_000);
        finish(10);
        partition.putBack(requireNonNull(partition.take(new TransactionRoom(100, 1_000))));
        partition.frontierRefused();

        assertThat(requireNonNull(partition.take(new TransactionRoom(100, 1_000))).frontier()).isNull();
    }

    // Otherwise: the commit's end is unknown, the offsets of the old log are read back, and results are dropped as published.
    @Test
    void offsetsOfAnotherLogAreReplacedBeforeAnOutcomeIsPublished() {
        PartitionCommit anew = new PartitionCommit(1,
                new AssignmentStart(DoneOffsets.from(0), DoneOffsets.from(2), notes(LOG), true, true), 4096);
        Offsets offsets = new Offsets();
        offsets.add(0);
        anew.tracked(Source.CALLS, offsets, 1);
        ProducerRecord<byte[], byte[]> intent = new ProducerRecord<>("journal", new byte[3]);
        anew.noted(new JournalNote(new Position(0, 1, 1), intent));
        anew.finished(new Outcome(new Position(0, 1, 0), List.of()));
        anew.noted(new JournalNote(new Position(0, 1, 2), intent));

        Batch first = requireNonNull(anew.take(new TransactionRoom(100, 1_000)));
        assertThat(first.outcomes()).isEmpty();
        assertThat(first.notes()).extracting(JournalNote::position).as("the other came behind the outcome")
                .containsExactly(new Position(0, 1, 1));
        assertThat(requireNonNull(first.resumed()).offset()).isEqualTo(2);
        anew.putBack(first);
        assertThat(anew.dropDone(DoneOffsets.from(40), DoneOffsets.from(40))).isEmpty();
        anew.committed(requireNonNull(anew.take(new TransactionRoom(100, 1_000))));

        assertThat(requireNonNull(anew.take(new TransactionRoom(100, 1_000))).outcomes()).hasSize(1);
    }

    @Test
    void commitsNameTheNewestLeaderEpochThatWasRead() {
        assertThat(partition.ledger(Source.CALLS).now().leaderEpoch()).contains(4);
        read(10, 13, 6, 7_000, 9_000);
        finish(10);

        assertThat(requireNonNull(partition.take(new TransactionRoom(100, 1_000))).offset())
                .isEqualTo(new OffsetAndMetadata(11, Optional.of(6), ""));
    }

    @Test
    void noCallBehindTheFrontierIsOlderThanTheTimeBesideIt() {
        AppendTimes times = new AppendTimes(500);
        times.read(10, 5_000);
        times.read(20, 9_000);
        times.read(30, 7_000);
        times.read(40, 20_000);

        assertThat(times.since(9)).isEqualTo(500);
        assertThat(times.since(15)).isEqualTo(5_000);
        assertThat(times.since(25)).as("the clock went back").isEqualTo(7_000);
        assertThat(times.since(50)).isEqualTo(20_000);
    }

    // Otherwise: the ledger throws, and one truncated partition ends worker after worker.
    @Test
    void anAssignmentThatIsReadAgainFromFurtherBackIsOverAndTheLoopGoesOn() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L, 1, 2L));
        fleet.tracking(0, 1, 5);
        fleet.tracking(1, 2, 1);
        fleet.finish(0, 1, 4);
        Offsets again = new Offsets();
        again.add(2);
        fleet.loop.tracked(Source.CALLS, 0, 1, again, 3);
        fleet.finish(0, 1, 2);
        fleet.finish(1, 2, 0);

        assertThat(fleet.loop.step()).isTrue();

        assertThat(fleet.back).containsExactly("0 epoch 1");
        assertThat(fleet.published()).as("nothing of a log that is gone").hasSize(1);
    }

    private FrontierNotes notes(Incarnation log) {
        return new FrontierNotes(0, log, 500, (number, frontier) -> {
            made.add(frontier);
            return new ProducerRecord<>("journal", number, new byte[0], new byte[0]);
        }, nanos::get);
    }

    private void read(long from, long to, int epoch, long firstAt, long lastAt) {
        Offsets offsets = new Offsets();
        for (long offset = from; offset < to; offset++)
            offsets.add(offset);
        offsets.read(from, firstAt, lastAt, epoch);
        assertThat(partition.tracked(Source.CALLS, offsets, to)).isTrue();
    }

    private void finish(long offset) {
        partition.finished(new Outcome(new Position(0, 1, offset), List.of()));
    }

    private void commit(long offset) {
        finish(offset);
        partition.committed(requireNonNull(partition.take(new TransactionRoom(100, 1_000))));
    }
}
