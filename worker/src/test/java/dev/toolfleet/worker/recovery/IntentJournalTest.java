package dev.toolfleet.worker.recovery;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.Recalled;
import dev.toolfleet.worker.call.TestCalls;
import dev.toolfleet.worker.execute.HandlerResult;
import dev.toolfleet.worker.execute.MoveNote;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.record.JournalRecords;
import dev.toolfleet.worker.record.RecordWriter;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// When a handler that must not run twice starts, and what is left of its intent when it does not.
class IntentJournalTest {
    private static final Position POSITION = new Position(3, 7, 42);
    private static final Instant DEADLINE = Instant.parse("2026-01-01T00:00:30Z");
    private static final HandlerResult DONE = new HandlerResult.Replied(
            new ToolReply.Ok(JsonNodeFactory.instance.objectNode()), 1);

    private final List<ProducerRecord<byte[], byte[]>> noted = new ArrayList<>();
    private final List<ProducerRecord<byte[], byte[]>> handedOver = new ArrayList<>();
    private final List<String> started = new ArrayList<>();
    private final Ownership ownership = new Ownership(group());
    private final Recalled run = Identified.of(IdentifiedCall.of(new Arrival.Call(POSITION,
            ToolCall.of("c1", "t__run", JsonNodeFactory.instance.objectNode(), "i").inStep("coder", "turn", "step", 0),
            0, null, 10)), 0).recalledBy(null);
    private long nanos;
    private List<@Nullable Long> answers = new ArrayList<>();
    private @Nullable RuntimeException refusal;

    private final IntentJournal journal = new IntentJournal(new IntentJournal.Notes() {
        @Override
        public CompletableFuture<@Nullable Long> note(Position position, ProducerRecord<byte[], byte[]> record) {
            noted.add(record);
            RuntimeException no = refusal;
            if (no != null)
                return CompletableFuture.failedFuture(no);
            Long begun = nanos;
            if (!answers.isEmpty())
                begun = answers.removeFirst();
            return CompletableFuture.completedFuture(begun);
        }

        @Override
        public CompletableFuture<@Nullable Long> send(Position position, ProducerRecord<byte[], byte[]> record) {
            return note(position, record);
        }

        @Override
        public void handOver(ProducerRecord<byte[], byte[]> record) {
            handedOver.add(record);
        }
    }, new JournalRecords(new RecordWriter(new Topics("acme."), "w1", InstantSource.fixed(Instant.EPOCH))), ownership,
            Duration.ofSeconds(3), InstantSource.fixed(Instant.EPOCH), () -> nanos);

    IntentJournalTest() {
        ownership.publish(new Ownership.Snapshot(group(), Map.of(3, 7L)));
    }

    @Test
    void theIntentIsCommittedBeforeTheHandlerStarts() {
        HandlerResult result = journal.noted(TestCalls.started(run), TestResources.registered(false), DEADLINE,
                this::start);

        assertThat(result).isEqualTo(DONE);
        assertThat(started).containsExactly("after 1 notes");
        ProducerRecord<byte[], byte[]> record = noted.getFirst();
        assertThat(record.topic()).isEqualTo("acme.tool.journal");
        assertThat(record.partition()).isEqualTo(3);
        CallIntent intent = WireCodec.of(CallIntent.class).read(record.value());
        assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo(intent.identity())
                .isEqualTo(run.call().identity().text());
        assertThat(intent.worker()).isEqualTo("w1");
        assertThat(intent.deadline()).isEqualTo(DEADLINE);
        assertThat(intent.epoch()).isEqualTo(7);
        assertThat(run.intent()).isEqualTo(intent);
    }

    @Test
    void whatMayRunTwiceNeedsNoIntent() {
        assertThat(journal.noted(TestCalls.started(run), TestResources.registered(true), DEADLINE, this::start))
                .isEqualTo(DONE);

        assertThat(noted).isEmpty();
        assertThat(run.intent()).isNull();
    }

    @Test
    void whatMayRunTwiceIsNotedWhenItsPartitionMovesWhileItRuns() {
        MoveNote note = journal.onMove(TestCalls.started(run), TestResources.registered(true), DEADLINE);
        note.write();
        note.write();

        CallIntent intent = WireCodec.of(CallIntent.class).read(noted.getFirst().value());
        assertThat(noted).hasSize(1);
        assertThat(intent.mayRunTwice()).isTrue();
        assertThat(intent.epoch()).isEqualTo(7);
        assertThat(run.intent()).as("its result deletes it, and is handed over").isEqualTo(intent);
        assertThat(note.isWritten()).isTrue();
    }

    @Test
    void aNoteWhoseAssignmentEndedFirstIsNotWritten() {
        answers.add(null);
        MoveNote note = journal.onMove(TestCalls.started(run), TestResources.registered(true), DEADLINE);
        note.write();

        assertThat(note.isWritten()).isFalse();
    }

    @Test
    void nothingIsNotedBehindTheEndOfAHandler() {
        MoveNote note = journal.onMove(TestCalls.started(run), TestResources.registered(true), DEADLINE);
        note.ended();
        note.write();

        assertThat(noted).isEmpty();
        assertThat(run.intent()).isNull();
    }

    @Test
    void theHeirIsToldOfANotedCallThatWasInterruptedAfterAll() {
        journal.left(run);
        assertThat(handedOver).as("there is no note").isEmpty();

        journal.onMove(TestCalls.started(run), TestResources.registered(true), DEADLINE).write();
        journal.left(run);

        assertThat(handedOver).singleElement().extracting(record -> requireNonNull(
                WireCodec.of(ResumedCall.class).read(record.value()).handOver()).result()).isNull();
    }

    @Test
    void aWorkerThatWasFrozenAfterItsIntentWritesAnotherBeforeItStarts() {
        nanos = Duration.ofSeconds(20).toNanos();
        answers.add(Duration.ofSeconds(17).toNanos());

        assertThat(journal.noted(TestCalls.started(run), TestResources.registered(false), DEADLINE, this::start))
                .isEqualTo(DONE);

        assertThat(started).as("half a session timeout had passed since the first").containsExactly("after 2 notes");
    }

    @Test
    void withoutThePartitionItIsNotStarted() {
        answers.add(null);
        ownership.publish(new Ownership.Snapshot(group(), Map.of()));

        assertThat(journal.noted(TestCalls.started(run), TestResources.registered(false), DEADLINE, this::start))
                .isEqualTo(new HandlerResult.Left(false));

        assertThat(started).isEmpty();
        ResumedCall said = WireCodec.of(ResumedCall.class).read(handedOver.getFirst().value());
        assertThat(requireNonNull(said.handOver()).result())
                .as("a transaction in doubt may have written the intent: the heir must not wait for it").isNull();
    }

    @Test
    void aFrozenWorkerThatLostThePartitionSaysThatItNeverStarted() {
        nanos = Duration.ofSeconds(20).toNanos();
        answers.add(0L);
        answers.add(null);
        ownership.publish(new Ownership.Snapshot(group(), Map.of()));

        assertThat(journal.noted(TestCalls.started(run), TestResources.registered(false), DEADLINE, this::start))
                .isEqualTo(new HandlerResult.Left(false));

        assertThat(started).isEmpty();
        ResumedCall said = WireCodec.of(ResumedCall.class).read(handedOver.getFirst().value());
        assertThat(requireNonNull(said.handOver()).result()).isNull();
        assertThat(said.handOver().identity()).isEqualTo(run.call().identity().text());
    }

    @Test
    void anIntentWhoseHandlerDoesNotStartIsTakenBackWhileThePartitionIsOurs() {
        HandlerResult result = journal.noted(TestCalls.started(run), TestResources.registered(false), DEADLINE,
                () -> new HandlerResult.Left(false));

        assertThat(result).isEqualTo(new HandlerResult.Left(false));
        assertThat(noted).hasSize(2);
        assertThat(noted.getLast().value()).isNull();
        assertThat(noted.getLast().key()).isEqualTo(noted.getFirst().key());
        assertThat(handedOver).isEmpty();
    }

    @Test
    void whatAnEarlierOwnerBeganIsNotTakenBack() {
        run.course().noted(earlier());
        answers.add(null);
        ownership.publish(new Ownership.Snapshot(group(), Map.of()));

        assertThat(journal.noted(TestCalls.started(run), TestResources.registered(false), DEADLINE, this::start))
                .isEqualTo(new HandlerResult.Left(false));

        ResumedCall said = WireCodec.of(ResumedCall.class).read(handedOver.getFirst().value());
        assertThat(earlier().isMeantBy(requireNonNull(said.handOver()))).as("that one may have started").isFalse();
        assertThat(requireNonNull(run.intent()).isMeantBy(said.handOver())).isTrue();
    }

    @Test
    void aLaterAttemptThatDoesNotStartIsToldAndNotDeleted() {
        run.course().noted(earlier());

        journal.noted(TestCalls.started(run.at(2)), TestResources.registered(false), DEADLINE,
                () -> new HandlerResult.Left(false));

        assertThat(noted).as("the intent, and no tombstone").hasSize(1);
        ResumedCall said = WireCodec.of(ResumedCall.class).read(handedOver.getFirst().value());
        assertThat(requireNonNull(said.handOver()).attempt()).isEqualTo(2);
    }

    @Test
    void aCallThatMayHaveKilledAWorkerIsNotedBeforeAToolIsChosen() {
        Recalled dead = run.after(1);

        assertThat(journal.note(dead)).isCompletedWithValue(0L);

        CallIntent note = WireCodec.of(CallIntent.class).read(noted.getFirst().value());
        assertThat(note).isEqualTo(run.intent());
        assertThat(note.deathsBefore()).isEqualTo(1);
        assertThat(note.mayRunTwice()).isTrue();
        assertThat(note.mayHaveStarted()).isFalse();
        assertThat(run.isAnnounced()).as("no handler has started").isFalse();
        journal.left(dead);
        assertThat(handedOver).as("who hands it back has not died of it").hasSize(1);
    }

    @Test
    void anIntentThatFollowsSuchANoteCarriesItsDeaths() {
        Recalled dead = run.after(1);
        var _ = journal.note(dead);

        journal.noted(TestCalls.started(dead), TestResources.registered(false), DEADLINE, this::start);

        CallIntent intent = WireCodec.of(CallIntent.class).read(noted.getLast().value());
        assertThat(intent.deathsBefore()).isEqualTo(1);
        assertThat(intent.mayRunTwice()).isFalse();
    }

    @Test
    void theDeathsOfACallThatDoesNotStartAreNotDeleted() {
        Recalled dead = run.after(1);
        var _ = journal.note(dead);

        journal.noted(TestCalls.started(dead), TestResources.registered(false), DEADLINE,
                () -> new HandlerResult.Left(false));

        assertThat(noted).allSatisfy(record -> assertThat(record.value()).isNotNull());
        assertThat(handedOver).hasSize(1);
    }

    @Test
    void whoDecidesAboutAnEarlierStartIsNotedAndItsStartStays() {
        Recalled dead = run.after(1);

        assertThat(journal.inherited(dead, earlier())).isTrue();
        journal.returned(dead, earlier());
        answers.add(null);
        assertThat(journal.inherited(dead, earlier())).as("the assignment has ended").isFalse();

        CallIntent inherited = WireCodec.of(CallIntent.class).read(noted.getFirst().value());
        assertThat(inherited).isEqualTo(earlier().inheritedBy(group().memberId(), 1));
        assertThat(inherited.member()).isEqualTo("m0");
        CallIntent returned = WireCodec.of(CallIntent.class).read(noted.get(1).value());
        assertThat(returned).isEqualTo(earlier().inheritedBy(null, 1));
    }

    private CallIntent earlier() {
        return new CallIntent(run.call().identity().text(), run.call().fingerprint(), "t__run", 1, "w0", 3,
                Instant.EPOCH, "m0", DEADLINE, null);
    }

    @Test
    void anIntentThatCannotBeWrittenIsTheCallsError() {
        refusal = new RecordTooLargeException("too large");

        HandlerResult result = journal.noted(TestCalls.started(run), TestResources.registered(false), DEADLINE,
                this::start);

        assertThat(result).isInstanceOfSatisfying(HandlerResult.Replied.class, replied -> assertThat(
                ((ToolReply.Failed) replied.reply()).error().message()).contains("not started", "acme.tool.journal"));
        assertThat(started).isEmpty();
    }

    private HandlerResult start() {
        started.add("after " + noted.size() + " notes");
        return DONE;
    }

    private static ConsumerGroupMetadata group() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            return member.groupMetadata();
        }
    }

}
