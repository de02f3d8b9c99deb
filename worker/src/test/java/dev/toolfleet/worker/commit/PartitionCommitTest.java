package dev.toolfleet.worker.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.assignment.Position.Source;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class PartitionCommitTest {

    @Test
    void outcomesGoInTheOrderInWhichTheirCallsFinished() {
        PartitionCommit partition = tracking(0, 4, DoneOffsets.MAX_METADATA);

        finish(partition, 2, 0, 3);
        Batch batch = requireNonNull(partition.take(all()));

        assertThat(offsets(batch)).containsExactly(2L, 0L, 3L);
        assertThat(batch.offset().offset()).isEqualTo(1);
        assertThat(DoneOffsets.decode(1, batch.offset().metadata())).isEqualTo(new DoneOffsets(1, List.of(1, 2)));
        partition.committed(batch);
        assertThat(partition.hasWork()).isFalse();
    }

    @Test
    void whatTheMetadataHasNoRoomForWaitsAndGoesOnceTheFrontierMoves() {
        // tf1: and four characters: room for one run of done offsets.
        PartitionCommit partition = tracking(0, 8, 8);

        finish(partition, 7, 5, 3, 1);
        Batch first = requireNonNull(partition.take(all()));

        assertThat(offsets(first)).containsExactly(1L);
        assertThat(first.offset().metadata()).hasSizeLessThanOrEqualTo(8);
        assertThat(partition.isFull()).isTrue();
        assertThat(partition.fullnessChanged()).isTrue();
        assertThat(partition.fullnessChanged()).isFalse();
        assertThat(partition.waiting()).isEqualTo(3);
        partition.committed(first);
        assertThat(partition.hasWork()).as("nothing can be done until a call ends").isFalse();

        finish(partition, 0, 2, 4, 6);
        assertThat(partition.hasWork()).isTrue();
        Batch second = requireNonNull(partition.take(all()));

        assertThat(offsets(second)).containsExactly(7L, 5L, 3L, 0L, 2L, 4L, 6L);
        assertThat(second.offset().offset()).isEqualTo(8);
        assertThat(partition.isFull()).isFalse();
        assertThat(partition.fullnessChanged()).isTrue();
    }

    @Test
    void asMuchGoesAsFits() {
        PartitionCommit partition = tracking(0, 40, 4 + 16);
        for (int offset = 39; offset > 0; offset -= 2)
            finish(partition, offset);

        Batch batch = requireNonNull(partition.take(all()));

        // Twelve bytes in sixteen characters: six runs of one open and one done offset.
        assertThat(offsets(batch)).containsExactly(11L, 9L, 7L, 5L, 3L, 1L);
    }

    @Test
    void howeverFewMayGoTheOneThatMakesRoomDoes() {
        PartitionCommit partition = tracking(0, 4, 6);
        finish(partition, 1, 3, 0);

        Batch batch = requireNonNull(partition.take(new TransactionRoom(1, Long.MAX_VALUE)));

        assertThat(offsets(batch)).containsExactly(0L);
        partition.committed(batch);
        Batch next = requireNonNull(partition.take(new TransactionRoom(1, Long.MAX_VALUE)));
        assertThat(offsets(next)).containsExactly(1L);
        partition.committed(next);
        assertThat(partition.take(new TransactionRoom(1, Long.MAX_VALUE)))
                .as("nothing makes room for 3 but the end of 2")
                .isNull();
        assertThat(partition.isFull()).isTrue();
    }

    @Test
    void aFailedBatchGoesAgainBeforeWhatHasFinishedSince() {
        PartitionCommit partition = tracking(0, 4, DoneOffsets.MAX_METADATA);
        finish(partition, 3, 1);
        Batch failed = requireNonNull(partition.take(all()));

        partition.putBack(failed);
        finish(partition, 0, 2);
        Batch again = requireNonNull(partition.take(all()));

        assertThat(offsets(again)).containsExactly(3L, 1L, 0L, 2L);
        assertThat(again.offset().offset()).isEqualTo(4);
    }

    @Test
    void whatTurnsOutToBeCommittedIsNotPublishedAgain() {
        PartitionCommit partition = tracking(0, 4, DoneOffsets.MAX_METADATA);
        finish(partition, 2, 0);
        Batch inDoubt = requireNonNull(partition.take(all()));
        partition.putBack(inDoubt);
        finish(partition, 3);

        partition.dropDone(DoneOffsets.decode(inDoubt.offset().offset(), inDoubt.offset().metadata()), null);
        Batch rest = requireNonNull(partition.take(all()));

        assertThat(offsets(rest)).containsExactly(3L);
        assertThat(rest.offset().offset()).isEqualTo(1);
        assertThat(DoneOffsets.decode(1, rest.offset().metadata()).isDone(2)).isTrue();
    }

    @Test
    void whatComesForPendingCallsIsCommittedBesideTheCalls() {
        PartitionCommit partition = tracking(0, 4, DoneOffsets.MAX_METADATA);
        read(partition, Source.RESUMED, 0, 3);
        finish(partition, 1);
        resume(partition, 1);
        finish(partition, 0);

        Batch batch = requireNonNull(partition.take(all()));

        assertThat(batch.outcomes()).extracting(Outcome::position).as("in the order in which they finished")
                .containsExactly(new Position(0, 1, 1), Position.resumed(0, 1, 1), new Position(0, 1, 0));
        assertThat(batch.offset().offset()).isEqualTo(2);
        OffsetAndMetadata resumed = requireNonNull(batch.resumed());
        assertThat(resumed.offset()).as("one before it is on its way").isZero();
        assertThat(DoneOffsets.decode(0, resumed.metadata()).isDone(1)).isTrue();
        partition.committed(batch);
        assertThat(partition.hasWork()).isFalse();
    }

    @Test
    void callsAloneSayNothingOfWhatComesForPendingOnes() {
        PartitionCommit partition = tracking(0, 4, DoneOffsets.MAX_METADATA);
        read(partition, Source.RESUMED, 0, 3);
        finish(partition, 0);

        assertThat(requireNonNull(partition.take(all())).resumed()).isNull();
    }

    @Test
    void recordsThatAreNobodysMoveTheFrontierToo() {
        PartitionCommit partition = tracking(0, 4, DoneOffsets.MAX_METADATA);
        partition.ledger(Source.RESUMED).track(new Offsets(), 7);

        assertThat(partition.hasWork()).isTrue();
        Batch batch = requireNonNull(partition.take(all()));
        assertThat(batch.offset()).as("it fences").isEqualTo(new OffsetAndMetadata(0, ""));
        assertThat(requireNonNull(batch.resumed()).offset()).isEqualTo(7);
    }

    @Test
    void anOutcomeWhoseCommitWasInDoubtIsNotPublishedAgain() {
        PartitionCommit partition = tracking(0, 4, DoneOffsets.MAX_METADATA);
        read(partition, Source.RESUMED, 0, 2);
        resume(partition, 1);
        Batch inDoubt = requireNonNull(partition.take(all()));
        OffsetAndMetadata stored = requireNonNull(inDoubt.resumed());
        partition.putBack(inDoubt);
        resume(partition, 0);

        assertThat(partition.dropDone(null, DoneOffsets.decode(stored.offset(), stored.metadata()))).hasSize(1);

        Batch rest = requireNonNull(partition.take(all()));
        assertThat(rest.outcomes()).extracting(Outcome::position).containsExactly(Position.resumed(0, 1, 0));
        assertThat(requireNonNull(rest.resumed()).offset()).isEqualTo(2);
    }

    @Test
    void fullMetadataOfTheCallsHoldsUpNoOutcome() {
        PartitionCommit partition = tracking(0, 130, 4 + 3);
        for (int offset = 3; offset < 130; offset++)
            finish(partition, offset);
        partition.committed(requireNonNull(partition.take(all())));
        partition.ledger(Source.CALLS).track(new Offsets(), 131);
        finish(partition, 0);
        assertThat(partition.take(all())).isNull();
        read(partition, Source.RESUMED, 0, 1);

        resume(partition, 0);

        assertThat(partition.hasWork()).isTrue();
        Batch batch = requireNonNull(partition.take(all()));
        assertThat(batch.outcomes()).extracting(Outcome::position).containsExactly(Position.resumed(0, 1, 0));
        assertThat(batch.offset().offset()).as("what was committed before").isZero();
        assertThat(requireNonNull(batch.resumed()).offset()).isEqualTo(1);
        assertThat(partition.isFull()).isTrue();
    }

    @Test
    void gapsThatLengthenTheMetadataHoldTheCommitBackInsteadOfBreakingTheProducer() {
        // Room for a run of 127 done offsets, one byte short of what 128 take.
        PartitionCommit partition = tracking(0, 130, 4 + 3);
        for (int offset = 3; offset < 130; offset++)
            finish(partition, offset);
        partition.committed(requireNonNull(partition.take(all())));
        partition.ledger(Source.CALLS).track(new Offsets(), 131);

        finish(partition, 0);
        assertThat(partition.take(all())).isNull();
        assertThat(partition.isFull()).isTrue();
        assertThat(partition.hasWork()).isFalse();

        finish(partition, 1, 2);
        Batch batch = requireNonNull(partition.take(all()));
        assertThat(offsets(batch)).containsExactly(0L, 1L, 2L);
        assertThat(batch.offset().offset()).isEqualTo(131);
    }

    @Property(seed = "818", tries = 300)
    void everyOutcomeGoesOnceAndNoMetadataIsTooLong(@ForAll long seed, @ForAll @IntRange(min = 6, max = 40) int room) {
        Random random = new Random(seed);
        PartitionCommit partition = new PartitionCommit(1, Beginnings.of(DoneOffsets.from(0), DoneOffsets.from(0)),
                room);
        List<Long> open = new ArrayList<>();
        List<Long> finished = new ArrayList<>();
        List<Long> published = new ArrayList<>();
        long next = 0;
        for (int step = 0; step < 200 || !open.isEmpty() || published.size() < finished.size(); step++) {
            if (step < 200 && !partition.isFull()) {
                Offsets read = new Offsets();
                for (int i = random.nextInt(6); i > 0; i--, next += 1 + random.nextInt(2)) {
                    read.add(next);
                    open.add(next);
                }
                partition.ledger(Source.CALLS).track(read, next);
            }
            for (int i = random.nextInt(4); i > 0 && !open.isEmpty(); i--) {
                long offset = open.remove(random.nextInt(open.size()));
                finished.add(offset);
                finish(partition, offset);
            }
            if (!partition.hasWork())
                continue;
            Batch batch = partition.take(all());
            if (batch == null)
                continue;
            assertThat(batch.offset().metadata()).hasSizeLessThanOrEqualTo(room);
            if (random.nextInt(4) == 0) {
                partition.putBack(batch);
                continue;
            }
            published.addAll(offsets(batch));
            partition.committed(batch);
        }
        assertThat(published).containsExactlyInAnyOrderElementsOf(finished).doesNotHaveDuplicates();
        assertThat(partition.ledger(Source.CALLS).now().offset()).isEqualTo(next);
    }

    private static TransactionRoom all() {
        return new TransactionRoom(Integer.MAX_VALUE, Long.MAX_VALUE);
    }

    private static PartitionCommit tracking(long from, long to, int maxMetadata) {
        PartitionCommit partition = new PartitionCommit(1, Beginnings.of(DoneOffsets.from(from), DoneOffsets.from(0)),
                maxMetadata);
        read(partition, Source.CALLS, from, to);
        return partition;
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

    private static void finish(PartitionCommit partition, long... offsets) {
        for (long offset : offsets)
            partition.finished(new Outcome(new Position(0, 1, offset), List.of()));
    }

    private static List<Long> offsets(Batch batch) {
        return batch.outcomes().stream().map(outcome -> outcome.position().offset()).toList();
    }
}
