package dev.toolfleet.worker.commit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.worker.commit.LoopFixture.Mock;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class TransactionLoopTest {

    @Test
    void resultsAndOffsetsGoInOneTransaction() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L, 1, 2L)).tracking(0, 1, 3).tracking(1, 2, 2);

        fleet.finish(0, 1, 0, 2);
        fleet.finish(1, 2, 0);
        assertThat(fleet.loop.step()).isTrue();

        Mock first = fleet.producers.getFirst();
        assertThat(first.commitCount()).isEqualTo(1);
        assertThat(fleet.published()).containsExactlyInAnyOrder("0/0", "0/2", "1/0");
        assertThat(fleet.published()).containsSubsequence("0/0", "0/2");
        assertThat(fleet.committed(0, 0)).singleElement().satisfies(offset -> {
            assertThat(offset.offset()).isEqualTo(1);
            assertThat(DoneOffsets.decode(1, offset.metadata()).isDone(2)).isTrue();
        });
        assertThat(fleet.committed(0, 1)).singleElement().satisfies(offset -> assertThat(offset.offset()).isEqualTo(1));
    }

    @Test
    void twoProducersTakeTurns() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 4);

        for (int offset = 0; offset < 4; offset++) {
            fleet.finish(0, 1, offset);
            fleet.loop.step();
        }

        assertThat(fleet.producers).extracting(producer -> producer.number).containsExactly(0, 1);
        assertThat(fleet.producers).extracting(Mock::commitCount).containsExactly(2L, 2L);
    }

    @Test
    void anOutcomeWhoseAssignmentIsNoLongerOwnedIsNeverSent() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L, 1, 2L)).tracking(0, 1, 2).tracking(1, 2, 1);
        fleet.finish(0, 1, 0);
        fleet.finish(1, 2, 0);

        fleet.owning(Map.of(1, 2L));
        fleet.loop.step();
        assertThat(fleet.published()).containsExactly("1/0");

        // The partition comes back as another assignment; what belongs to the old one is dropped.
        fleet.owning(Map.of(0, 3L, 1, 2L)).tracking(0, 3, 2);
        fleet.finish(0, 1, 1);
        fleet.loop.step();
        assertThat(fleet.published()).containsExactly("1/0");
    }

    @Test
    void aFailedTransactionIsAbortedAndRetriedInOrder() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 4);
        fleet.finish(0, 1, 3, 0);
        fleet.loop.step();
        Mock second = fleet.producers.get(1);
        second.sendOffsetsToTransactionException = new CommitFailedException();
        fleet.finish(0, 1, 2);

        assertThat(fleet.loop.step()).isFalse();
        assertThat(second.transactionAborted()).isTrue();
        second.sendOffsetsToTransactionException = null;
        fleet.finish(0, 1, 1);
        assertThat(fleet.loop.step()).isTrue();

        assertThat(fleet.published()).containsExactly("0/3", "0/0", "0/2", "0/1");
        assertThat(fleet.readBacks).as("its end was known").isZero();
        assertThat(fleet.loop.step()).isTrue();
        assertThat(fleet.producers).extracting(Mock::commitCount).containsExactly(1L, 1L);
    }

    @Test
    void aCommitOfUnknownEndThatTookPlaceIsNotRepeated() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 3);
        fleet.finish(0, 1, 2);
        fleet.loop.step();
        Mock second = fleet.producers.get(1);
        second.commitTransactionException = new TimeoutException("no answer");
        fleet.finish(0, 1, 0);

        assertThat(fleet.loop.step()).isFalse();
        assertThat(second.closed()).isTrue();
        fleet.stored.put(0, new DoneOffsets(1, List.of(1, 1)));
        fleet.finish(0, 1, 1);
        assertThat(fleet.loop.step()).isTrue();

        assertThat(fleet.readBacks).isEqualTo(1);
        assertThat(fleet.published()).as("0 was committed by the transaction in doubt").containsExactly("0/2", "0/1");
        assertThat(fleet.producers.getLast().number).as("the same id, which ends the transaction in doubt")
                .isEqualTo(1);
        assertThat(fleet.committed(2, 0)).extracting(offset -> offset.offset()).containsExactly(3L);
    }

    @Test
    void aCommitOfUnknownEndThatDidNotTakePlaceIsPublishedAgain() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 2);
        fleet.finish(0, 1, 1, 0);
        var _ = fleet.loop.flush();
        fleet.producers.getFirst().commitTransactionException = new ProducerFencedException("newer epoch");
        fleet.producers.getFirst().abortTransactionException = new ProducerFencedException("newer epoch");

        assertThat(fleet.loop.step()).isFalse();
        fleet.stored.put(0, DoneOffsets.from(0));
        fleet.settle();

        assertThat(fleet.published()).containsExactly("0/1", "0/0");
    }

    /// Brokers delete a group's offsets of a topic that is deleted. Otherwise: the commit took place, no offset shows
    /// it, and its results are published once more.
    @Test
    void aCommitInDoubtWhoseOffsetsWereDeletedIsNotPublishedAgain() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L, 1, 2L)).tracking(0, 1, 3).tracking(1, 2, 1);
        fleet.finish(0, 1, 0);
        fleet.loop.step();
        fleet.producers.get(1).losesAnswers = true;
        fleet.finish(0, 1, 1);

        assertThat(fleet.loop.step()).isFalse();
        fleet.stored.clear();
        fleet.finish(0, 1, 2);
        fleet.finish(1, 2, 0);
        fleet.settle();

        assertThat(fleet.published()).as("the other partition goes on").containsExactly("0/0", "0/1", "1/0");
        assertThat(fleet.back).as("partitions to be taken over anew").containsExactly("0 epoch 1");
    }

    /// The broker may have committed before it failed to say so: a producer that cannot even abort afterwards has told
    /// nothing.
    @Test
    void aCommitThatBreaksItsProducerIsOfUnknownEnd() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 1);
        fleet.producers.getFirst().losesAnswers = true;
        fleet.finish(0, 1, 0);

        assertThat(fleet.loop.step()).isFalse();
        fleet.stored.put(0, DoneOffsets.from(1));
        assertThat(fleet.loop.step()).isTrue();

        assertThat(fleet.readBacks).isEqualTo(1);
        assertThat(fleet.published()).as("once").containsExactly("0/0");
    }

    @Test
    void nothingIsPublishedWhileTheCommittedOffsetsCannotBeRead() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 1);
        fleet.producers.getFirst().commitTransactionException = new TimeoutException("no answer");
        fleet.finish(0, 1, 0);
        CompletableFuture<Void> flushed = fleet.loop.flush();

        assertThat(fleet.loop.step()).isFalse();
        fleet.unreadable = true;
        assertThat(fleet.loop.step()).isFalse();
        assertThat(fleet.loop.step()).isFalse();
        assertThat(fleet.published()).isEmpty();
        assertThat(flushed).isNotDone();

        fleet.unreadable = false;
        assertThat(fleet.loop.step()).isTrue();
        assertThat(fleet.published()).containsExactly("0/0");
        assertThat(flushed).isCompleted();
    }

    @Test
    void aFlushIsDoneWhenWhatCameBeforeItIsCommitted() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 2);
        fleet.finish(0, 1, 1);
        CompletableFuture<Void> flushed = fleet.loop.flush();

        assertThat(flushed).isNotDone();
        fleet.loop.step();

        assertThat(flushed).isCompleted();
        assertThat(fleet.published()).containsExactly("0/1");
    }

    @Test
    void aFlushDoesNotWaitForWhatIsNoLongerOwned() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 2);
        fleet.finish(0, 1, 1);
        fleet.owning(Map.of());
        CompletableFuture<Void> flushed = fleet.loop.flush();

        fleet.loop.step();

        assertThat(flushed).isCompleted();
        assertThat(fleet.published()).isEmpty();
    }

    @Test
    void nothingToDoMakesNoTransaction() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 3);
        fleet.finish(0, 1, 0, 2);
        fleet.loop.step();

        for (int turn = 0; turn < 10; turn++)
            fleet.loop.step();

        assertThat(fleet.producers).extracting(Mock::commitCount).containsExactly(1L, 0L);
    }

    @Test
    void theReaderIsToldWhenTheMetadataIsFullAndWhenItHasRoom() {
        LoopFixture fleet = new LoopFixture(new CommitConfig("calls", "resumed", Duration.ZERO, 1, 8))
                .owning(Map.of(0, 1L))
                .tracking(0, 1, 6);
        fleet.finish(0, 1, 1, 3, 5);
        CompletableFuture<Void> flushed = fleet.loop.flush();
        fleet.loop.step();

        assertThat(fleet.told).containsExactly("0@1 METADATA_FULL on");
        assertThat(fleet.published()).containsExactly("0/1");
        assertThat(flushed).as("nothing more can be done now").isCompleted();
        fleet.finish(0, 1, 0, 2, 4);
        fleet.loop.step();
        assertThat(fleet.told).containsExactly("0@1 METADATA_FULL on", "0@1 METADATA_FULL off");
        assertThat(fleet.published()).containsExactlyInAnyOrder("0/1", "0/3", "0/5", "0/0", "0/2", "0/4");
    }

    @Test
    void whatCameBeforeItIsClosedIsPublished() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 1);
        fleet.finish(0, 1, 0);
        fleet.loop.publish(new ProducerRecord<>("resumed", "said".getBytes(StandardCharsets.UTF_8)));

        fleet.loop.start();
        fleet.loop.close();

        assertThat(fleet.published()).containsExactlyInAnyOrder("0/0", "said");
    }

    @Test
    void theThreadPublishesByItselfAndEndsWhenClosed() throws Exception {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L));
        try (TransactionLoop loop = fleet.loop) {
            loop.start();
            fleet.tracking(0, 1, 100);
            for (int offset = 0; offset < 100; offset++)
                fleet.finish(0, 1, offset);
            loop.flush().get(60, TimeUnit.SECONDS);
            assertThat(fleet.published()).hasSize(100);
        }
        assertThat(fleet.producers).allMatch(Mock::closed);
        assertThatThrownBy(() -> fleet.loop.flush().get(1, TimeUnit.SECONDS)).hasMessageContaining("stopped");
    }

    @Test
    void theLoopsDeathIsReportedAndLeavesNobodyWaiting() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L));
        fleet.loop.start();
        fleet.tracking(0, 1, 2);
        // An outcome of a call that was never read: a broken promise of the pipeline, which no retry can mend.
        fleet.finish(0, 1, -1);
        CompletableFuture<Void> flushed = fleet.loop.flush();

        await().atMost(Duration.ofSeconds(60)).until(() -> !fleet.failures.isEmpty());
        assertThat(fleet.failures.getFirst()).isInstanceOf(IndexOutOfBoundsException.class);
        await().atMost(Duration.ofSeconds(60)).until(flushed::isCompletedExceptionally);
        assertThat(fleet.loop.flush()).isCompletedExceptionally();
        fleet.loop.close();
    }

    @Test
    void aStartThatFailsClosesWhatItMade() {
        LoopFixture fleet = new LoopFixture();
        fleet.producers.clear();
        TransactionLoop broken = new TransactionLoop(CommitConfig.of("calls", "resumed"), fleet.ownership, number -> {
            Mock producer = fleet.new Mock(number);
            producer.initTransactionException = number == 1 ? new KafkaException("not authorised") : null;
            fleet.producers.add(producer);
            return producer;
        }, partitions -> CommittedPositions.ofCalls(Map.of()), targets -> CompletableFuture.completedFuture(true),
                fleet,
                System::nanoTime);

        assertThatThrownBy(broken::start).hasMessageContaining("not authorised");
        assertThat(fleet.producers).hasSize(2).allMatch(Mock::closed);
        broken.close();
    }
}
