package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.PartitionListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.worker.poll.PollFixture.partition;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class PollLoopTest {

    @Test
    void anAssignedPartitionIsPausedUntilItIsTakenOver() {
        PollFixture fleet = new PollFixture(0, 1);
        fleet.calls(0, 0, 1);
        fleet.loop.turn();

        assertThat(fleet.consumer.paused()).containsExactlyInAnyOrder(partition(0), partition(1));
        assertThat(fleet.told).containsExactlyInAnyOrder("take over 0", "take over 1");
        assertThat(fleet.snapshot()).as("owned from the first moment").isEqualTo("[0, 1]");
        assertThat(fleet.loop.allStarted()).isFalse();

        fleet.adopt(0, DoneOffsets.from(0));
        fleet.loop.turn();
        assertThat(fleet.consumer.paused()).containsExactly(partition(1));
        assertThat(fleet.offered).containsExactly(0L, 1L);
        assertThat(fleet.told).containsSubsequence("opened 0 at 0", "read 0 from 0", "tracked 0 [0, 1] next 2");
        fleet.adopt(1, DoneOffsets.from(0));
        fleet.loop.turn();
        assertThat(fleet.loop.allStarted()).isTrue();
    }

    @Test
    void aTakenOverPartitionStartsAtItsFrontierAndSkipsWhatIsDone() {
        PollFixture fleet = new PollFixture(0);
        fleet.calls(0, 0, 1, 2, 3, 4, 5);

        fleet.adopt(0, new DoneOffsets(2, List.of(1, 2)));
        fleet.loop.turn();

        assertThat(fleet.told).contains("opened 0 at 2", "tracked 0 [2, 5] next 6");
        assertThat(fleet.offered).containsExactly(2L, 5L);
    }

    @Test
    void theAnswerToAnEarlierAssignmentIsIgnored() {
        PollFixture fleet = new PollFixture(0);
        long first = requireNonNull(fleet.epochs.get(0));
        fleet.rebalance();
        fleet.rebalance(0);

        fleet.loop.adopt(0, first,
                PollFixture.restored(DoneOffsets.from(0)));
        fleet.loop.turn();

        assertThat(fleet.epochs.get(0)).isGreaterThan(first);
        assertThat(fleet.told).doesNotContain("opened 0 at 0");
        assertThat(fleet.consumer.paused()).containsExactly(partition(0));
    }

    @Test
    void refusedCallsAreHeldAndOnlyTheirPartitionIsPaused() {
        PollFixture fleet = new PollFixture(0, 1);
        fleet.adopt(0, DoneOffsets.from(0));
        fleet.adopt(1, DoneOffsets.from(0));
        fleet.refusedFrom.put(0, 1L);
        fleet.calls(0, 0, 1, 2);
        fleet.loop.turn();
        assertThat(fleet.offered).containsExactly(0L);

        fleet.calls(1, 0);
        fleet.calls(0, 3);
        fleet.loop.turn();
        assertThat(fleet.consumer.paused()).containsExactly(partition(0));
        assertThat(fleet.consumer.lastPollTimeout()).as("soon offered again").isEqualTo(Duration.ofMillis(1));
        assertThat(fleet.offered).containsExactly(0L, 0L);

        fleet.refusedFrom.clear();
        fleet.loop.turn();
        assertThat(fleet.offered).as("in order, before anything that was read later").containsExactly(0L, 0L, 1L, 2L,
                3L);
        assertThat(fleet.consumer.paused()).isEmpty();
    }

    @Test
    void aPartitionWhoseMetadataIsFullIsPausedUntilItHasRoom() {
        PollFixture fleet = new PollFixture(0, 1);
        fleet.adopt(0, DoneOffsets.from(0));
        fleet.adopt(1, DoneOffsets.from(0));
        fleet.loop.turn();

        fleet.loop.hold(0, requireNonNull(fleet.epochs.get(0)), PartitionListener.Hold.METADATA_FULL, true);
        fleet.loop.turn();
        assertThat(fleet.consumer.paused()).containsExactly(partition(0));
        fleet.loop.hold(0, fleet.epochs.get(0) - 1, PartitionListener.Hold.METADATA_FULL, false);
        fleet.loop.turn();
        assertThat(fleet.consumer.paused()).as("news of another assignment").containsExactly(partition(0));
        fleet.loop.hold(0, fleet.epochs.get(0), PartitionListener.Hold.METADATA_FULL, false);
        fleet.loop.turn();
        assertThat(fleet.consumer.paused()).isEmpty();
    }

    @Test
    void aRevokedPartitionCommitsWhileItIsStillOwnedAndIsThenGivenUp() {
        PollFixture fleet = new PollFixture(0);
        fleet.adopt(0, DoneOffsets.from(0));
        fleet.refusedFrom.put(0, 1L);
        fleet.calls(0, 0, 1);
        fleet.loop.turn();
        fleet.told.clear();

        fleet.rebalance();

        assertThat(fleet.told).containsExactly("stop 0 owning [0]", "moving 0", "ends 0", "flush owning [0]",
                "cancel 0", "closed 0 owning []");
        fleet.refusedFrom.clear();
        fleet.loop.turn();
        assertThat(fleet.offered).as("what was held is the next owner's").containsExactly(0L);
    }

    @Test
    void aRevokeWaitsForTheCommitOnlySoLong() {
        PollFixture fleet = new PollFixture(Duration.ofMillis(20), 0);
        fleet.committed = new CompletableFuture<>();

        fleet.rebalance();

        assertThat(fleet.told).endsWith("cancel 0", "closed 0 owning []");
    }

    @Test
    void aRevokeWaitsForTheCommit() {
        PollFixture fleet = new PollFixture(0);
        fleet.committed = CompletableFuture.supplyAsync(() -> {
            await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(1))
                    .until(() -> fleet.told.contains("flush owning [0]"));
            fleet.told.add("committed");
            return null;
        });

        fleet.rebalance();

        assertThat(fleet.told).endsWith("flush owning [0]", "committed", "cancel 0", "closed 0 owning []");
    }

    @Test
    void aLostPartitionIsGivenUpAtOnce() {
        PollFixture fleet = new PollFixture(0, 1);
        fleet.committed = new CompletableFuture<>();
        fleet.told.clear();

        fleet.loop.lost(List.of(partition(0)));

        assertThat(fleet.told).containsExactly("cancel 0", "lost 0 owning [1]");
    }

    @Test
    void aDrainingWorkerStaysInItsGroupAndStartsNothing() {
        PollFixture fleet = new PollFixture(0);
        fleet.adopt(0, DoneOffsets.from(0));
        fleet.refusedFrom.put(0, 1L);
        fleet.calls(0, 0, 1);
        fleet.loop.turn();

        fleet.loop.drain();
        fleet.loop.turn();
        fleet.refusedFrom.clear();
        fleet.calls(0, 2);
        fleet.loop.turn();

        assertThat(fleet.loop.isDraining()).isTrue();
        assertThat(fleet.told).contains("stop 0 owning [0]");
        assertThat(fleet.offered).containsExactly(0L);
        assertThat(fleet.consumer.paused()).containsExactly(partition(0));
        assertThat(fleet.consumer.closed()).isFalse();
    }

    @Test
    void aPartitionThatEndsInAnAbortedTransactionIsReadToItsEnd() {
        PollFixture fleet = new PollFixture(0);
        Assignments assignments = new Assignments(PollConfig.of(PollFixture.TOPIC), fleet.consumer, fleet.ownership,
                fleet, fleet);
        assignments.begin(List.of(partition(0)));
        assignments.adopt(new PollCommand.Adopt(0, fleet.epochs.getOrDefault(0, -1L),
                PollFixture.restored(DoneOffsets.from(0))), false);

        assignments.takeIn(new ConsumerRecords<>(Map.of(), Map.of(partition(0), new OffsetAndMetadata(9))), false);

        assertThat(fleet.told).contains("tracked 0 [] next 9");
    }

    @Test
    void ofAPartitionThatComesWhileAWorkerDrainsNothingStarts() {
        PollFixture fleet = new PollFixture();
        fleet.loop.drain();
        fleet.loop.turn();
        fleet.rebalance(0);

        fleet.adopt(0, DoneOffsets.from(0));
        fleet.loop.turn();

        assertThat(fleet.told).as("approved calls are offered as soon as it is opened").containsSubsequence(
                "take over 0", "stop 0 owning [0]", "opened 0 at 0");
    }

    @Test
    void aWorkerSaysThatItDrainsWhenNothingIsLeftToStart() {
        PollFixture fleet = new PollFixture(0);
        fleet.adopt(0, DoneOffsets.from(0));
        fleet.loop.turn();

        fleet.loop.drain();
        assertThat(fleet.loop.isDraining()).as("asked, but not yet obeyed").isFalse();
        fleet.loop.turn();

        assertThat(fleet.loop.isDraining()).isTrue();
        assertThat(fleet.saidToDrain).as("before its lanes were emptied").isFalse();
    }

    @Test
    void closingLeavesTheGroupAndEndsTheLoop() throws Exception {
        PollFixture fleet = new PollFixture();
        fleet.loop.start();
        await().atMost(Duration.ofMinutes(1)).until(() -> fleet.consumer.lastPollTimeout() != null);

        fleet.loop.close();

        fleet.loop.ended().get(60, TimeUnit.SECONDS);
        assertThat(fleet.consumer.closed()).isTrue();
    }

    @Test
    void aFailureElsewhereEndsTheLoopWithItsCause() {
        PollFixture fleet = new PollFixture();
        fleet.loop.start();

        fleet.loop.fail(new IllegalStateException("transactions broke"));

        assertThatThrownBy(() -> fleet.loop.ended().get(60, TimeUnit.SECONDS))
                .hasMessageContaining("transactions broke");
        assertThat(fleet.consumer.closed()).isTrue();
    }

    @Test
    void aBrokenConsumerEndsTheLoopExceptionally() {
        PollFixture fleet = new PollFixture();
        fleet.consumer.setPollException(new KafkaException("broken"));
        fleet.loop.start();

        assertThatThrownBy(() -> fleet.loop.ended().get(60, TimeUnit.SECONDS)).hasMessageContaining("broken");
        assertThat(fleet.consumer.closed()).isTrue();
    }

    // The cause may be a record that the loop read: its death counts.
    @Test
    void aLoopThatBrokeEndsNoAssignmentInOrder() {
        PollFixture fleet = new PollFixture(0);
        fleet.consumer.setPollException(new KafkaException("broken"));
        fleet.loop.start();
        assertThatThrownBy(() -> fleet.loop.ended().get(60, TimeUnit.SECONDS)).hasMessageContaining("broken");

        fleet.loop.revoked(List.of(partition(0)));

        assertThat(fleet.told).contains("flush owning [0]").doesNotContain("ends 0");
    }

    @Test
    void partitionsAreCountedByTheirStandingAndWhyTheyAreHeld() {
        PollFixture fleet = new PollFixture(0, 1);
        fleet.loop.turn();
        assertThat(fleet.loop.partitions()).extracting(OwnershipCounts::owned, OwnershipCounts::started)
                .containsExactly(2, 0);

        fleet.adopt(0, DoneOffsets.from(0));
        fleet.adopt(1, DoneOffsets.from(0));
        fleet.loop.hold(1, requireNonNull(fleet.epochs.get(1)), PartitionListener.Hold.QUARANTINED, true);
        fleet.loop.turn();
        assertThat(fleet.loop.partitions().started()).isEqualTo(2);
        assertThat(fleet.loop.partitions().held(PartitionListener.Hold.QUARANTINED)).isEqualTo(1);
        assertThat(fleet.loop.partitions().held(PartitionListener.Hold.METADATA_FULL)).isZero();

        fleet.loop.hold(1, requireNonNull(fleet.epochs.get(1)), PartitionListener.Hold.QUARANTINED, false);
        fleet.loop.turn();
        assertThat(fleet.loop.partitions().held(PartitionListener.Hold.QUARANTINED)).isZero();
    }
}
