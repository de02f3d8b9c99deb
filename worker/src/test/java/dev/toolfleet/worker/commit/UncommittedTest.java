package dev.toolfleet.worker.commit;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.worker.assignment.Load;
import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Outcomes that are not committed are counted exactly, however they leave.
class UncommittedTest {
    private static final Load NOTHING = new Load(0, 0);

    private final LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L, 1, 2L)).tracking(0, 1, 3)
            .tracking(1, 2, 3);

    private Load all() {
        return fleet.loop.uncommitted().all();
    }

    @Test
    void anOutcomeCountsFromTheEndOfItsCallToItsCommit() {
        fleet.finish(0, 1, 0, 1);
        fleet.finish(1, 2, 0);

        assertThat(all()).isEqualTo(new Load(3, 3L * "0/0".length()));
        assertThat(fleet.loop.uncommitted().of(0, 1)).isEqualTo(new Load(2, 2L * "0/0".length()));

        fleet.loop.step();

        assertThat(fleet.published()).hasSize(3);
        assertThat(all()).isEqualTo(NOTHING);
        assertThat(fleet.loop.uncommitted().of(0, 1)).isEqualTo(NOTHING);
    }

    @Test
    void anAbortedTransactionsOutcomesStillCount() {
        fleet.finish(0, 1, 0);
        fleet.producers.getFirst().commitTransactionException = new TimeoutException("slow");
        fleet.loop.step();

        assertThat(all().calls()).isEqualTo(1);

        fleet.settle();

        assertThat(fleet.published()).contains("0/0");
        assertThat(all()).isEqualTo(NOTHING);
    }

    @Test
    void whatATransactionOfUnknownEndHasCommittedCountsNoLonger() {
        fleet.producers.getFirst().losesAnswers = true;
        fleet.finish(0, 1, 0);
        fleet.stored.put(0, DoneOffsets.from(1));

        fleet.settle();

        assertThat(fleet.readBacks).isPositive();
        assertThat(fleet.published()).containsExactly("0/0");
        assertThat(all()).isEqualTo(NOTHING);
    }

    @Test
    void whatBelongsToNoAssignmentAnyMoreDoesNotCount() {
        fleet.finish(0, 1, 0);
        fleet.loop.closed(0, 1);
        fleet.finish(0, 1, 1);

        fleet.settle();

        assertThat(fleet.published()).isEmpty();
        assertThat(all()).isEqualTo(NOTHING);
    }

    @Test
    void whatCannotBeCommittedTakesNoRoomFromOtherPartitions() {
        fleet.refused = value -> value.startsWith("0/") ? new TimeoutException("Topic results not present") : null;
        fleet.reachable = false;
        fleet.finish(0, 1, 0, 1);
        fleet.finish(1, 2, 0);
        fleet.settle();

        assertThat(fleet.told).contains("0@1 QUARANTINED on");
        assertThat(fleet.published()).containsExactly("1/0");
        assertThat(fleet.loop.uncommitted().of(0, 1).calls()).isEqualTo(2);
        assertThat(all()).isEqualTo(NOTHING);

        fleet.refused = _ -> null;
        fleet.reachable = true;
        fleet.nanos += Duration.ofHours(1).toNanos();
        fleet.settle();
        assertThat(fleet.published()).contains("0/0", "0/1");
        assertThat(all()).isEqualTo(NOTHING);
        fleet.finish(0, 1, 2);
        assertThat(all().calls()).as("counts again").isEqualTo(1);
    }

    @Test
    void whatTheBrokerRefusesCountsAsWhatIsPublishedInstead() {
        fleet.refused = value -> value.equals("large") ? new RecordTooLargeException("too large") : null;
        Position position = new Position(0, 1, 0);
        fleet.loop.finished(new Outcome(position, List.of(record("large")), new Outcome.Sequel() {
            @Override
            public @Nullable Outcome refused(Throwable cause) {
                return new Outcome(position, List.of(record("an error, which is longer")));
            }
        }));

        fleet.settle();

        assertThat(fleet.published()).containsExactly("an error, which is longer");
        assertThat(all()).isEqualTo(NOTHING);
    }

    private static ProducerRecord<byte[], byte[]> record(String value) {
        return new ProducerRecord<>("results", 0, null, value.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
}
