package dev.toolfleet.worker.commit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The transaction loop after a failure that will not go away by itself (`docs/decisions/0049`).
class BrokenTransactionTest {

    @Test
    void aRecordThatTheBrokerRefusesIsFoundByHalvingAndBecomesAnError() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L, 1, 2L)).tracking(0, 1, 20).tracking(1, 2, 20);
        fleet.refused = value -> value.startsWith("huge") ? new RecordTooLargeException("too large") : null;
        for (int offset = 0; offset < 20; offset++) {
            fleet.finish(1, 2, offset);
            if (offset == 13) {
                fleet.loop.finished(outcome(0, 1, offset, "huge", "an error instead"));
            } else {
                fleet.finish(0, 1, offset);
            }
        }

        fleet.settle();

        assertThat(fleet.published()).hasSize(40).contains("an error instead").doesNotHaveDuplicates()
                .doesNotContain("huge");
        assertThat(fleet.published().stream().filter(value -> !value.startsWith("1/")).toList())
                .as("the order of a partition's results is kept")
                .containsSubsequence("0/12", "an error instead", "0/14");
        assertThat(fleet.frontiers).isEqualTo(Map.of(0, 20L, 1, 20L));
    }

    @Test
    void aRefusedRecordThatNothingCanReplaceKeepsItsPartitionOnly() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L, 1, 2L)).tracking(0, 1, 2).tracking(1, 2, 2);
        fleet.refused = value -> value.startsWith("huge") ? new RecordTooLargeException("too large") : null;
        fleet.loop.finished(outcome(0, 1, 0, "huge", null));
        fleet.finish(1, 2, 0);
        fleet.settle();
        fleet.finish(1, 2, 1);
        fleet.settle();

        assertThat(fleet.published()).containsExactly("1/0", "1/1");
        assertThat(fleet.told).containsExactly("0@1 QUARANTINED on");
    }

    @Test
    void aRefusedNoteFailsTheCallThatWaitsForIt() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 2);
        fleet.refused = value -> value.startsWith("huge") ? new RecordTooLargeException("too large") : null;
        fleet.finish(0, 1, 1);

        var note = fleet.loop.note(new Position(0, 1, 0), record("huge intent"));
        fleet.settle();

        assertThat(note).isCompletedExceptionally();
        assertThat(fleet.published()).containsExactly("0/1");
    }

    @Test
    void aPartitionWhoseRecordsCannotBeWrittenSitsOutAndTheOthersGoOn() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L, 1, 2L)).tracking(0, 1, 3).tracking(1, 2, 3);
        fleet.refused = value -> value.startsWith("0/") ? new TimeoutException("no leader") : null;
        fleet.finish(0, 1, 0);
        fleet.finish(1, 2, 0);
        fleet.settle();

        assertThat(fleet.published()).containsExactly("1/0");
        assertThat(fleet.told).containsExactly("0@1 QUARANTINED on");

        fleet.finish(0, 1, 1);
        fleet.finish(1, 2, 1);
        fleet.settle();
        assertThat(fleet.published()).containsExactly("1/0", "1/1");

        fleet.reachable = false;
        fleet.nanos += Duration.ofSeconds(2).toNanos();
        fleet.settle();
        assertThat(fleet.told).as("nobody leads it yet").hasSize(1);

        fleet.reachable = true;
        fleet.refused = value -> null;
        fleet.nanos += Duration.ofSeconds(2).toNanos();
        fleet.settle();
        assertThat(fleet.told).containsExactly("0@1 QUARANTINED on", "0@1 QUARANTINED off");
        assertThat(fleet.published()).containsSubsequence("0/0", "0/1");
        assertThat(fleet.frontiers).containsEntry(0, 2L);
    }

    @Test
    void aPartitionThatIsGivenUpLeavesTheQuarantine() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 3);
        fleet.refused = value -> value.startsWith("0/") ? new TimeoutException("no leader") : null;
        fleet.finish(0, 1, 0);
        fleet.settle();

        fleet.owning(Map.of());
        fleet.loop.closed(0, 1);
        fleet.refused = value -> null;
        fleet.owning(Map.of(0, 3L)).tracking(0, 3, 3);
        fleet.finish(0, 3, 0);
        fleet.settle();

        assertThat(fleet.published()).containsExactly("0/0");
    }

    @Test
    void whenNothingCanBeCommittedItIsKnownForHowLong() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 3);
        fleet.producers.getFirst().sendOffsetsToTransactionException = new TimeoutException("no coordinator");
        fleet.finish(0, 1, 0);
        assertThat(fleet.loop.step()).isFalse();
        fleet.nanos += Duration.ofSeconds(7).toNanos();

        assertThat(fleet.loop.failing()).isEqualTo(Duration.ofSeconds(7));
        assertThat(fleet.told).as("the coordinator is away, which is no partition's fault").isEmpty();

        fleet.producers.getFirst().sendOffsetsToTransactionException = null;
        assertThat(fleet.loop.step()).isTrue();
        assertThat(fleet.loop.failing()).isZero();
    }

    @Test
    void beingFencedIsToldOnce() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 3);
        fleet.producers.getFirst().commitTransactionException = new ProducerFencedException("newer epoch");
        fleet.producers.getFirst().abortTransactionException = new ProducerFencedException("newer epoch");
        fleet.finish(0, 1, 0);

        fleet.loop.step();
        fleet.stored.put(0, DoneOffsets.from(0));
        fleet.settle();

        assertThat(fleet.told).containsExactly("fenced");
        assertThat(fleet.published()).containsExactly("0/0");
    }

    private static Outcome outcome(int partition, long epoch, long offset, String value, @Nullable String instead) {
        Position position = new Position(partition, epoch, offset);
        return new Outcome(position, List.of(record(value)), new Outcome.Sequel() {
            @Override
            public @Nullable Outcome refused(Throwable cause) {
                return instead == null ? null : new Outcome(position, List.of(record(instead)));
            }
        });
    }

    private static ProducerRecord<byte[], byte[]> record(String value) {
        return new ProducerRecord<>("results", value.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theTargetsOfAQuarantineAreThoseThatFailed() {
        Transaction transaction = new Transaction(CommitConfig.of("calls", "resumed"),
                Map.of(3, new Batch(List.of(outcome(3, 1, 0, "x", null)), new OffsetAndMetadata(1)), 4,
                        new Batch(List.of(), new OffsetAndMetadata(1))),
                List.of(), false);

        assertThat(transaction.concerned(Set.of(Transaction.target(record("y"))))).containsOnlyKeys(3);
        assertThat(new KafkaException(new RecordTooLargeException())).matches(SendFailures::isRefusal);
    }

    @Test
    void nothingFailsAnyMoreWhenNothingIsLeftToCommit() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 3);
        fleet.producers.getFirst().sendOffsetsToTransactionException = new TimeoutException("no coordinator");
        fleet.finish(0, 1, 0);
        assertThat(fleet.loop.step()).isFalse();
        fleet.nanos += Duration.ofSeconds(7).toNanos();
        assertThat(fleet.loop.failing()).isEqualTo(Duration.ofSeconds(7));

        fleet.owning(Map.of());
        fleet.loop.closed(0, 1);
        fleet.loop.step();

        assertThat(fleet.loop.failing()).as("a spare worker is well").isZero();
    }
}
