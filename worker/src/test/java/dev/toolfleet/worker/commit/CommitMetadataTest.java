package dev.toolfleet.worker.commit;

import java.util.List;

import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.assignment.Position.Source;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// The metadata of both topics' offsets is measured: one character too many is fatal to the producer.
class CommitMetadataTest {

    @Test
    void ofOutcomesThatNeedNoRoomNoMoreGoThanMay() {
        PartitionCommit partition = new PartitionCommit(1, Beginnings.of(DoneOffsets.from(0), DoneOffsets.from(0)), 6);
        read(partition, Source.CALLS, 0, 8);
        read(partition, Source.RESUMED, 0, 3);
        finish(partition, 7, 5, 3);
        resume(partition, 0, 1, 2);

        for (int i = 0; i < 3; i++) {
            Batch batch = requireNonNull(partition.take(new TransactionRoom(1, Long.MAX_VALUE)));
            assertThat(batch.outcomes()).hasSize(1);
            assertThat(requireNonNull(batch.resumed()).offset()).isEqualTo(i + 1);
            partition.committed(batch);
        }
    }

    @Test
    void aNoteTakesAlongWhatWasCommittedLastWhileTheMetadataWouldBeTooLong() {
        PartitionCommit partition = new PartitionCommit(1, Beginnings.of(DoneOffsets.from(0), DoneOffsets.from(0)),
                4 + 3);
        read(partition, Source.CALLS, 0, 130);
        for (int offset = 3; offset < 130; offset++)
            finish(partition, offset);
        Batch before = requireNonNull(partition.take(new TransactionRoom(1_000, Long.MAX_VALUE)));
        partition.committed(before);
        partition.ledger(Source.CALLS).track(new Offsets(), 131);

        note(partition, 1);
        finish(partition, 0);
        Batch batch = requireNonNull(partition.take(new TransactionRoom(1_000, Long.MAX_VALUE)));

        assertThat(batch.notes()).hasSize(1);
        assertThat(batch.outcomes()).as("its offset is not committed").isEmpty();
        assertThat(batch.offset()).as("one character more is fatal to the producer").isEqualTo(before.offset());
    }

    @Test
    void aNoteWaitsForNoOutcomeForWhichOnlyItsCallCanMakeRoom() {
        PartitionCommit partition = new PartitionCommit(1, Beginnings.of(DoneOffsets.from(0), DoneOffsets.from(0)),
                4 + 3);
        read(partition, Source.CALLS, 0, 130);
        for (int offset = 3; offset < 130; offset++)
            finish(partition, offset);
        partition.committed(requireNonNull(partition.take(new TransactionRoom(1_000, Long.MAX_VALUE))));
        partition.ledger(Source.CALLS).track(new Offsets(), 131);

        finish(partition, 0);
        note(partition, 1);
        Batch batch = requireNonNull(partition.take(new TransactionRoom(1_000, Long.MAX_VALUE)));

        assertThat(batch.notes()).hasSize(1);
        assertThat(batch.outcomes()).isEmpty();
    }

    @Test
    void whileTheMetadataIsFullANoteWaitsForOutcomesOfLowerOffsetsAlone() {
        // Room for one run of done offsets.
        PartitionCommit partition = new PartitionCommit(1, Beginnings.of(DoneOffsets.from(0), DoneOffsets.from(0)), 8);
        read(partition, Source.CALLS, 0, 8);
        finish(partition, 7, 5, 3, 1);
        note(partition, 6);
        note(partition, 2);
        note(partition, 0);

        Batch batch = requireNonNull(partition.take(new TransactionRoom(1_000, Long.MAX_VALUE)));

        assertThat(batch.outcomes()).extracting(Outcome::position).containsExactly(new Position(0, 1, 1));
        assertThat(batch.notes()).extracting(JournalNote::position).as("3 and 5 may be of the lane of 6")
                .containsExactly(new Position(0, 1, 2), new Position(0, 1, 0));
        partition.committed(batch);
        assertThat(partition.hasWork()).as("until a call ends").isFalse();

        finish(partition, 0);
        assertThat(partition.hasWork()).isTrue();
    }

    @Test
    void oneOfTwoLowestCallsCanBeginWhereNeitherTopicHasRoom() {
        PartitionCommit partition = new PartitionCommit(1, Beginnings.of(DoneOffsets.from(0), DoneOffsets.from(0)), 8,
                8);
        read(partition, Source.CALLS, 0, 6);
        read(partition, Source.RESUMED, 0, 6);
        finish(partition, 5, 3, 1);
        resume(partition, 5, 3, 1);
        note(partition, 0);
        partition.noted(new JournalNote(Position.resumed(0, 1, 0), new ProducerRecord<>("journal", new byte[3])));

        Batch batch = requireNonNull(partition.take(new TransactionRoom(1_000, Long.MAX_VALUE)));

        assertThat(batch.notes()).extracting(JournalNote::position).containsExactly(Position.resumed(0, 1, 0));
    }

    @Test
    void outcomesOfResumedCallsWaitWhileTheirMetadataWouldBeTooLong() {
        // Room for one run of done offsets.
        PartitionCommit partition = new PartitionCommit(1, Beginnings.of(DoneOffsets.from(0), DoneOffsets.from(0)),
                DoneOffsets.MAX_METADATA, 8);
        read(partition, Source.CALLS, 0, 2);
        read(partition, Source.RESUMED, 0, 6);
        resume(partition, 5, 3, 1);
        finish(partition, 1);

        Batch first = requireNonNull(partition.take(new TransactionRoom(1_000, Long.MAX_VALUE)));
        assertThat(first.outcomes()).extracting(Outcome::position).as("calls do not wait")
                .containsExactly(Position.resumed(0, 1, 1), new Position(0, 1, 1));
        assertThat(requireNonNull(first.resumed()).metadata()).hasSizeLessThanOrEqualTo(8);
        partition.committed(first);
        assertThat(partition.hasWork()).isFalse();
        assertThat(partition.isFull()).as("more calls may be read").isFalse();

        resume(partition, 0, 2, 4);
        Batch second = requireNonNull(partition.take(new TransactionRoom(1_000, Long.MAX_VALUE)));
        assertThat(second.outcomes()).hasSize(5);
        assertThat(requireNonNull(second.resumed()).offset()).isEqualTo(6);
    }

    @Test
    void gapsOfResumedCallsThatLengthenTheMetadataAreNotCommitted() {
        PartitionCommit partition = new PartitionCommit(1, Beginnings.of(DoneOffsets.from(0), DoneOffsets.from(0)),
                DoneOffsets.MAX_METADATA, 4 + 3);
        read(partition, Source.RESUMED, 0, 130);
        for (int offset = 3; offset < 130; offset++)
            resume(partition, offset);
        partition.committed(requireNonNull(partition.take(new TransactionRoom(1_000, Long.MAX_VALUE))));
        partition.ledger(Source.RESUMED).track(new Offsets(), 131);
        resume(partition, 0);

        assertThat(partition.take(new TransactionRoom(1_000, Long.MAX_VALUE))).isNull();
        assertThat(partition.hasWork()).isFalse();
    }

    @Test
    void howeverLittleATransactionHasRoomForNoOutcomeOfAnInstancePassesAnother() {
        PartitionCommit partition = new PartitionCommit(1, Beginnings.of(DoneOffsets.from(0), DoneOffsets.from(0)), 6);
        read(partition, Source.CALLS, 0, 6);
        read(partition, Source.RESUMED, 0, 2);
        finish(partition, 5);
        resume(partition, 0, 1);
        finish(partition, 3, 0);

        Batch batch = requireNonNull(partition.take(new TransactionRoom(1, Long.MAX_VALUE)));

        assertThat(batch.outcomes()).extracting(Outcome::position).containsExactly(Position.resumed(0, 1, 0));
        partition.committed(batch);
        batch = requireNonNull(partition.take(new TransactionRoom(2, Long.MAX_VALUE)));
        assertThat(batch.outcomes()).extracting(Outcome::position).as("the resumed one finished first")
                .containsExactly(Position.resumed(0, 1, 1), new Position(0, 1, 0));
    }

    private static void read(PartitionCommit partition, Source source, long from, long to) {
        Offsets offsets = new Offsets();
        for (long offset = from; offset < to; offset++)
            offsets.add(offset);
        partition.ledger(source).track(offsets, to);
    }

    private static void resume(PartitionCommit partition, long... offsets) {
        for (long offset : offsets)
            partition.finished(new Outcome(Position.resumed(0, 1, offset), List.of()));
    }

    private static void note(PartitionCommit partition, long offset) {
        partition.noted(new JournalNote(new Position(0, 1, offset), new ProducerRecord<>("journal", new byte[3])));
    }

    private static void finish(PartitionCommit partition, long... offsets) {
        for (long offset : offsets)
            partition.finished(new Outcome(new Position(0, 1, offset), List.of()));
    }
}
