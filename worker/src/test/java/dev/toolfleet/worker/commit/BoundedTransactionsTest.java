package dev.toolfleet.worker.commit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// No transaction is larger than a slow broker can take in the time that a transaction has.
class BoundedTransactionsTest {
    private static final String LARGE = "x".repeat(100);

    @Test
    void whatWaitsIsCommittedBehindABrokerThatTakesLittleAtATime() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L, 1, 1L)).tracking(0, 1, 400).tracking(1, 1, 400);
        fleet.mostBytes = 1_500;
        for (int offset = 0; offset < 400; offset++) {
            fleet.finishWith(0, 1, offset, LARGE);
            fleet.finishWith(1, 1, offset, LARGE);
        }

        for (int step = 0; step < 1_000 && fleet.published().size() < 800; step++)
            fleet.loop.step();

        assertThat(fleet.published()).hasSize(800);
        assertThat(fleet.frontiers).isEqualTo(Map.of(0, 400L, 1, 400L));
        assertThat(fleet.told).as("the topic is well").isEmpty();
    }

    @Test
    void aTransactionHasNoMoreEntriesAndBytesThanItMay() {
        LoopFixture fleet = new LoopFixture(config(10, 350)).owning(Map.of(0, 1L)).tracking(0, 1, 40);
        for (int offset = 0; offset < 20; offset++)
            fleet.finish(0, 1, offset);
        for (int offset = 20; offset < 26; offset++)
            fleet.finishWith(0, 1, offset, LARGE);
        fleet.settle();

        assertThat(fleet.transactions).extracting(List::size).containsExactly(10, 10, 3, 3);
    }

    @Test
    void anOutcomeAboveTheLimitGoesAlone() {
        LoopFixture fleet = new LoopFixture(config(10, 50)).owning(Map.of(0, 1L)).tracking(0, 1, 3);
        fleet.finish(0, 1, 0);
        fleet.finishWith(0, 1, 1, LARGE);
        fleet.finish(0, 1, 2);
        fleet.settle();

        assertThat(fleet.transactions).containsExactly(List.of("0/0"), List.of(LARGE), List.of("0/2"));
    }

    @Test
    void aPartitionWithMoreThanFitsLetsTheOthersPass() {
        LoopFixture fleet = new LoopFixture(config(5, 1_000)).owning(Map.of(0, 1L, 1, 1L, 2, 1L))
                .tracking(0, 1, 100).tracking(1, 1, 1).tracking(2, 1, 1);
        for (int offset = 0; offset < 50; offset++)
            fleet.finish(0, 1, offset);
        fleet.finish(1, 1, 0);
        fleet.finish(2, 1, 0);
        fleet.loop.publish(new ProducerRecord<>("resumed", "over".getBytes(StandardCharsets.UTF_8)));

        for (int turn = 0; turn < 3; turn++)
            fleet.loop.step();

        assertThat(fleet.published()).hasSizeLessThan(50).contains("1/0", "2/0", "over");
    }

    @Test
    void aChangedGenerationMakesNoTransactionSmaller() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 20);
        fleet.producers.getFirst().sendOffsetsToTransactionException = new CommitFailedException();
        for (int offset = 0; offset < 20; offset++)
            fleet.finish(0, 1, offset);
        assertThat(fleet.loop.step()).isFalse();
        fleet.producers.getFirst().sendOffsetsToTransactionException = null;

        fleet.loop.step();

        assertThat(fleet.transactions).extracting(List::size).containsExactly(20);
    }

    @Test
    void aCommitOfUnknownEndMakesTheNextTransactionSmaller() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 30);
        fleet.producers.getFirst().commitTransactionException = new TimeoutException("no answer");
        for (int offset = 0; offset < 20; offset++)
            fleet.finish(0, 1, offset);
        assertThat(fleet.loop.step()).isFalse();
        fleet.stored.put(0, DoneOffsets.from(0));

        assertThat(fleet.loop.step()).isTrue();
        for (int offset = 20; offset < 30; offset++)
            fleet.finish(0, 1, offset);
        fleet.settle();

        assertThat(fleet.transactions).extracting(List::size).as("it grows again when it fails no more")
                .containsExactly(10, 20);
    }

    @Test
    void notesAndHandOversCountToo() {
        LoopFixture fleet = new LoopFixture(config(2, 1_000)).owning(Map.of(0, 1L)).tracking(0, 1, 5);
        for (int offset = 0; offset < 3; offset++) {
            var _ = fleet.loop.note(new Position(0, 1, offset), record("intent"));
            fleet.loop.publish(record("over"));
        }
        fleet.settle();

        assertThat(fleet.published()).hasSize(6);
        assertThat(fleet.transactions).allMatch(transaction -> transaction.size() <= 2);
    }

    @Test
    void theBoundGrowsOnlyWhereTwiceTheSizeWouldBeQuickEnough() {
        TransactionBound bound = new TransactionBound(2_000, 8_000_000);
        bound.failed(1_000, 4_000_000);
        assertThat(bound.entries()).isEqualTo(500);
        assertThat(bound.bytes()).isEqualTo(2_000_000);

        bound.committed(500, 2_000_000, Duration.ofSeconds(3).toNanos());
        assertThat(bound.bytes()).as("twice as much would take six of eight seconds").isEqualTo(2_000_000);
        bound.committed(500, 2_000_000, Duration.ofSeconds(2).toNanos());
        assertThat(bound.bytes()).isEqualTo(4_000_000);
        bound.committed(1_000, 4_000_000, 0);
        bound.committed(2_000, 8_000, 0);
        assertThat(bound.entries()).isEqualTo(2_000);
        assertThat(bound.bytes()).isEqualTo(8_000_000);
    }

    @Test
    void theBoundShrinksToOneEntryAndNoFurther() {
        TransactionBound bound = new TransactionBound(2_000, 8_000);
        for (int i = 0; i < 20; i++)
            bound.failed(bound.entries(), bound.bytes());

        assertThat(bound.entries()).isOne();
        assertThat(bound.room().admit(1_000_000)).isTrue();
    }

    private static CommitConfig config(int entries, long bytes) {
        return new CommitConfig("calls", "resumed", Duration.ofMillis(2), 64, DoneOffsets.MAX_METADATA, entries,
                bytes);
    }

    private static ProducerRecord<byte[], byte[]> record(String value) {
        return new ProducerRecord<>("results", value.getBytes(StandardCharsets.UTF_8));
    }
}
