package dev.toolfleet.worker.poll;

import java.util.List;
import java.util.Set;

import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.PartitionListener.Hold;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.worker.poll.PollFixture.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// A record that the consumer cannot read.
class UnreadablePartitionsTest {
    private final KafkaException corrupt = new KafkaException(
            "Received exception when fetching the next record from calls-0. If needed, please seek past the record to"
                    + " continue consumption.",
            new CorruptRecordException("Record is corrupt"));

    private final PollFixture fleet = new PollFixture(0, 1);

    UnreadablePartitionsTest() {
        fleet.adopt(0, DoneOffsets.from(0));
        fleet.adopt(1, DoneOffsets.from(0));
        fleet.calls(0, 0, 1);
        fleet.loop.turn();
    }

    private void fail(KafkaException failure) {
        fleet.consumer.setPollException(failure);
        fleet.loop.turn();
    }

    @Test
    void holdsItsPartitionAtItsOffsetAndTheOthersGoOn() {
        fleet.calls(1, 0);
        fail(corrupt);

        assertThat(fleet.consumer.paused()).containsExactly(partition(0));
        assertThat(fleet.consumer.position(partition(0))).isEqualTo(2);
        assertThat(fleet.loop.partitions().held(Hold.UNREADABLE)).isEqualTo(1);
        assertThat(fleet.told).endsWith("tracked 1 [0] next 1");
    }

    @Test
    void isTriedAgainAndReadOnceItCanBe() {
        fail(corrupt);
        fail(new KafkaException("Record batch for partition calls-0 at offset 2 is invalid, cause: corrupt"));
        assertThat(fleet.consumer.paused()).containsExactly(partition(0));

        fleet.calls(0, 2, 3);
        fleet.loop.turn();

        assertThat(fleet.told).endsWith("tracked 0 [2, 3] next 4");
        assertThat(fleet.loop.partitions().held(Hold.UNREADABLE)).isZero();
    }

    @Test
    void becomesADeadLetterWhenItIsDeleted() {
        fail(corrupt);

        fleet.calls(0, 5);
        fleet.loop.turn();

        assertThat(fleet.told).endsWith("tracked 0 [2, 5] next 6");
        assertThat(fleet.offered).endsWith(2L, 5L);
    }

    @Test
    void isForgottenWithItsAssignment() {
        fail(corrupt);
        fleet.rebalance(1);
        fleet.rebalance(0, 1);
        fleet.adopt(0, DoneOffsets.from(2));
        fleet.calls(0, 5);
        fleet.loop.turn();

        assertThat(fleet.told).endsWith("tracked 0 [5] next 6");
    }

    @Test
    void isNoReasonToGoOnAfterAnotherFailure() {
        for (KafkaException fatal : List.of(new KafkaException("disk"),
                new KafkaException("Received exception when fetching the next record from calls-7"),
                new KafkaException("Received exception when fetching the next record from my.calls-0"),
                new TopicAuthorizationException("calls-0", Set.of("calls-0"))))
            assertThatThrownBy(() -> fail(fatal)).isSameAs(fatal);
    }
}
