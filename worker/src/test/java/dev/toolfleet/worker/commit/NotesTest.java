package dev.toolfleet.worker.commit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.LoopFixture.Mock;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Journal records that calls wait for, and what becomes of outcomes whose assignment has ended.
class NotesTest {

    @Test
    void aNoteGoesWithItsPartitionsOffsetAlsoWhenNothingFinished() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 3);
        fleet.nanos = 42;

        var note = fleet.loop.note(new Position(0, 1, 0), record("intent"));
        assertThat(note).isNotDone();
        fleet.settle();

        assertThat(note).isCompletedWithValue(42L);
        assertThat(fleet.published()).containsExactly("intent");
        assertThat(fleet.committed(0, 0)).as("fences a worker that lost the partition").hasSize(1);
    }

    @Test
    void aNoteOfAnAssignmentThatHasEndedIsNotWritten() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 3);

        var waiting = fleet.loop.note(new Position(0, 1, 0), record("intent"));
        fleet.owning(Map.of());
        fleet.settle();
        assertThat(waiting).isNotDone();
        fleet.loop.closed(0, 1);
        var late = fleet.loop.note(new Position(0, 1, 1), record("intent"));
        fleet.settle();

        assertThat(waiting).isCompletedWithValue(null);
        assertThat(late).isCompletedWithValue(null);
        assertThat(fleet.published()).isEmpty();
    }

    @Test
    void aNoteIsWrittenAgainAfterACommitOfUnknownEnd() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 3);
        fleet.producers.getFirst().commitTransactionException = new TimeoutException("no answer");

        var note = fleet.loop.note(new Position(0, 1, 0), record("intent"));
        fleet.loop.step();
        assertThat(note).isNotDone();
        fleet.settle();

        assertThat(note).isCompleted();
        assertThat(fleet.published()).containsExactly("intent");
    }

    /// The call has ended by its deadline, or was cancelled, while its note was under way.
    @Test
    void aNoteIsNotWrittenBehindTheEndOfItsCall() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 3);
        Mock first = fleet.producers.getFirst();
        first.losesAnswers = true;
        first.abortTransactionException = new TimeoutException("no answer");
        var note = fleet.loop.note(new Position(0, 1, 0), journal("call", "intent"));
        var other = fleet.loop.note(new Position(0, 1, 1), journal("other", "other's intent"));
        fleet.loop.finished(new Outcome(new Position(0, 1, 0), List.of(record("result"), journal("call", "closed"))));

        fleet.loop.step();
        fleet.stored.put(0, DoneOffsets.from(1));
        fleet.settle();

        assertThat(fleet.published()).containsExactly("intent", "other's intent", "result", "closed",
                "other's intent");
        assertThat(note).as("nothing starts any more").isCompletedWithValue(null);
        assertThat(other).isCompletedWithValue(0L);
    }

    /// Otherwise: the worker dies in between, and the next owner runs the earlier call again after the later one.
    @Test
    void aNoteIsCommittedNoEarlierThanTheOutcomesBeforeIt() {
        LoopFixture fleet = new LoopFixture(new CommitConfig("calls", "resumed", Duration.ofMillis(2), 64,
                DoneOffsets.MAX_METADATA, 2, Long.MAX_VALUE)).owning(Map.of(0, 1L)).tracking(0, 1, 6);
        fleet.finish(0, 1, 0, 1, 2);
        fleet.producers.getFirst().commitTransactionException = new TimeoutException("no answer");
        var note = fleet.loop.note(new Position(0, 1, 3), record("intent"));
        fleet.finish(0, 1, 4);

        fleet.loop.step();
        assertThat(note).isNotDone();
        fleet.settle();

        assertThat(note).isCompleted();
        assertThat(fleet.published()).containsExactly("0/0", "0/1", "0/2", "intent", "0/4");
        assertThat(fleet.transactions).as("a failure halves what goes").hasSizeGreaterThan(2);
    }

    @Test
    void aNoteNeedsNoRoomInTheMetadata() {
        LoopFixture fleet = new LoopFixture(new CommitConfig("calls", "resumed", Duration.ofMillis(2), 64, 8))
                .owning(Map.of(0, 1L)).tracking(0, 1, 40);
        fleet.finish(0, 1, 1);
        fleet.settle();
        for (int offset = 3; offset < 40; offset += 2)
            fleet.finish(0, 1, offset);
        fleet.settle();
        assertThat(fleet.told).containsExactly("0@1 METADATA_FULL on");

        var note = fleet.loop.note(new Position(0, 1, 0), record("intent"));
        fleet.settle();

        assertThat(note).as("the call at the frontier is the one that makes room").isCompleted();
        assertThat(fleet.published()).contains("intent");
    }

    @Test
    void whatEndedAfterItsAssignmentIsHandedOver() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L, 1, 1L)).tracking(0, 1, 3).tracking(1, 1, 2);
        fleet.loop.finished(handingOver(0, 0));
        fleet.owning(Map.of(1, 1L));
        fleet.settle();
        assertThat(fleet.published()).isEmpty();

        fleet.loop.closed(0, 1);
        fleet.loop.finished(handingOver(0, 1));
        fleet.finish(0, 1, 2);
        fleet.settle();

        assertThat(fleet.published()).as("what must not run twice is told to the heir; the rest runs again")
                .containsExactly("over 0", "over 1");
    }

    @Test
    void aHandOverThatCannotBeWrittenHoldsUpNothingElse() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(1, 1L)).tracking(1, 1, 2);
        fleet.refused = value -> value.startsWith("over") ? new TimeoutException("no leader") : null;
        fleet.loop.publish(new ProducerRecord<>("resumed", 0, null, "over".getBytes(StandardCharsets.UTF_8)));
        fleet.finish(1, 1, 0);
        fleet.settle();
        assertThat(fleet.published()).containsExactly("1/0");
        assertThat(fleet.told).as("no partition of ours is concerned").isEmpty();

        fleet.refused = value -> null;
        fleet.nanos += Duration.ofSeconds(11).toNanos();
        fleet.settle();
        assertThat(fleet.published()).containsExactly("1/0", "over");
    }

    @Test
    void whatWasClosedIsKnownBeforeAnythingElseIsPublished() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 2);
        fleet.finish(0, 1, 0);
        fleet.loop.closed(0, 1);
        var handled = fleet.loop.handled();
        assertThat(handled).isNotDone();

        fleet.loop.step();

        assertThat(handled).isCompleted();
        assertThat(fleet.published()).isEmpty();
    }

    @Test
    void anOutcomeLearnsWhereItsResultLiesAlsoAfterACommitInDoubt() {
        LoopFixture fleet = new LoopFixture().owning(Map.of(0, 1L)).tracking(0, 1, 3);
        List<String> heard = new ArrayList<>();
        fleet.loop.finished(listening(0, heard));
        fleet.settle();
        Mock second = fleet.producers.get(1);
        second.losesAnswers = true;
        second.abortTransactionException = new TimeoutException("no answer");
        fleet.loop.finished(listening(1, heard));
        fleet.loop.step();
        fleet.stored.put(0, DoneOffsets.from(2));
        fleet.settle();

        assertThat(heard).containsExactly("0 at 0", "1 at 0");
        assertThat(fleet.published()).containsExactly("listening", "listening");
    }

    private static Outcome handingOver(int partition, long offset) {
        return new Outcome(new Position(partition, 1, offset), List.of(record("result")), new Outcome.Sequel() {
            @Override
            public @Nullable ProducerRecord<byte[], byte[]> handOver() {
                return record("over " + offset);
            }
        });
    }

    private static Outcome listening(long offset, List<String> heard) {
        return new Outcome(new Position(0, 1, offset), List.of(record("listening")), new Outcome.Sequel() {
            @Override
            public void committed(long resultOffset, long appendedAt) {
                heard.add(offset + " at " + resultOffset);
            }
        });
    }

    private static ProducerRecord<byte[], byte[]> journal(String key, String value) {
        return new ProducerRecord<>("journal", 0, key.getBytes(StandardCharsets.UTF_8),
                value.getBytes(StandardCharsets.UTF_8));
    }

    private static ProducerRecord<byte[], byte[]> record(String value) {
        return new ProducerRecord<>("results", value.getBytes(StandardCharsets.UTF_8));
    }
}
