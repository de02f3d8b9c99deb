package dev.toolfleet.gateway.topology;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.gateway.calls.CallDecision;
import dev.toolfleet.gateway.calls.CallEvent;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import org.apache.kafka.streams.KeyValue;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.gateway.topology.CallRecords.bytes;
import static dev.toolfleet.gateway.topology.CallRecords.call;
import static dev.toolfleet.gateway.topology.CallRecords.called;
import static dev.toolfleet.gateway.topology.CallRecords.closed;
import static dev.toolfleet.gateway.topology.CallRecords.decided;
import static dev.toolfleet.gateway.topology.CallRecords.pending;
import static dev.toolfleet.gateway.topology.CallRecords.progress;
import static dev.toolfleet.gateway.topology.CallRecords.result;
import static dev.toolfleet.gateway.topology.CallRecords.waits;
import static dev.toolfleet.gateway.topology.ReadModelDriver.at;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class CallTopologyTest {
    private static final ToolCall BUILD = call("chat-1", "c1");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path stateDir;
    @SuppressWarnings("NullAway.Init")
    private ReadModelDriver model;

    @BeforeEach
    void start() {
        model = new ReadModelDriver(stateDir);
    }

    @AfterEach
    void stop() {
        model.close();
    }

    private CallView view(long offset) {
        return model.view(offset).orElseThrow();
    }

    private CallEvents events(long offset, EventId after) {
        return model.events(offset, after).orElseThrow();
    }

    @Test
    void aCallIsShownAsItGoesOn() {
        model.read(called(BUILD, at(0)));
        assertThat(view(0).stage()).isEqualTo(CallStage.ACCEPTED);
        assertThat(view(0).call()).isEqualTo(BUILD);
        assertThat(view(0).acceptedAt()).isEqualTo(at(0));

        model.read(progress(BUILD, 0, 10, at(1)), progress(BUILD, 0, 60, at(2)));
        assertThat(view(0).stage()).isEqualTo(CallStage.RUNNING);
        assertThat(view(0).progress()).extracting(it -> it.progress().percent()).isEqualTo(60.0);

        model.read(result(BUILD, 0, ResultStatus.OK, null, at(3)));
        assertThat(view(0).stage()).isEqualTo(CallStage.ENDED);
        assertThat(view(0).progress()).as("the result replaces it").isNull();
        assertThat(view(0).result()).extracting(it -> it.output()).hasToString("{\"done\":\"c1\"}");
    }

    @Test
    void anApprovedCallThatThenWaitsForWorkGoesThroughAllStages() {
        PendingCall question = pending(BUILD, 0, 0, "h1", "r1", at(1));
        PendingCall work = pending(BUILD, 0, 0, "h2", null, at(5));
        model.read(called(BUILD, at(0)), result(BUILD, 0, ResultStatus.PENDING, "h1", at(1)));
        assertThat(view(0).stage()).as("its question is not read yet").isEqualTo(CallStage.PENDING);
        assertThat(view(0).waitsFor()).isNull();

        model.read(waits(question, at(1)));
        assertThat(view(0).stage()).isEqualTo(CallStage.APPROVAL);
        assertThat(view(0).waitsFor()).extracting(it -> requireNonNull(it.approval()).rule()).isEqualTo("r1");

        model.read(decided(Decision.approve("h1", "ann", "fine"), at(3)), closed("h1", at(4)));
        assertThat(view(0).stage()).isEqualTo(CallStage.RESUMED);
        assertThat(view(0).waitsFor()).isNull();
        assertThat(view(0).decisions())
                .containsExactly(new CallDecision("h1", Decision.Verdict.APPROVE, "ann", "fine", at(3)));

        model.read(waits(work, at(5)), result(BUILD, 0, ResultStatus.PENDING, "h2", at(5)));
        assertThat(view(0).stage()).isEqualTo(CallStage.PENDING);
        assertThat(view(0).waitsFor()).extracting(it -> it.handle()).isEqualTo("h2");

        model.read(closed("h2", at(8)), result(BUILD, 0, ResultStatus.ERROR, "h2", at(9)));
        assertThat(view(0).stage()).isEqualTo(CallStage.ENDED);
        assertThat(view(0).result()).extracting(it -> it.status()).isEqualTo(ResultStatus.ERROR);
    }

    @Test
    void aTokenOfAWaitIsNotKept() {
        model.read(called(BUILD, at(0)), waits(pending(BUILD, 0, 0, "h1", null, at(1)), at(1)));

        for (Part part : Part.values()) {
            byte[] value = model.store(CallProcessor.CALLS).get(part.key(0, "h1"));
            if (value != null)
                assertThat(new String(value, StandardCharsets.UTF_8)).doesNotContain("secret");
        }
    }

    @Test
    void eventsResumeBehindAnId() {
        PendingCall work = pending(BUILD, 0, 0, "h1", null, at(2));
        model.read(called(BUILD, at(0)), progress(BUILD, 0, 10, at(1)));
        CallEvents first = model.events(0, null).orElseThrow();
        assertThat(first.events()).hasExactlyElementsOfTypes(CallEvent.Accepted.class, CallEvent.Progress.class);
        assertThat(first.ended()).isFalse();

        model.read(waits(work, at(2)), result(BUILD, 0, ResultStatus.PENDING, "h1", at(2)),
                progress(BUILD, 0, 50, at(3)));
        CallEvents second = events(0, first.events().getLast().id());
        assertThat(second.events()).hasExactlyElementsOfTypes(CallEvent.Pending.class, CallEvent.Progress.class);
        assertThat(second.events().getFirst()).asInstanceOf(InstanceOfAssertFactories.type(CallEvent.Pending.class))
                .extracting(it -> requireNonNull(it.waitsFor()).handle()).isEqualTo("h1");
        assertThat(second.events()).extracting(event -> event.id().toString()).containsExactly("1.1", "2.1");

        model.read(result(BUILD, 0, ResultStatus.OK, "h1", at(4)), progress(BUILD, 0, 99, at(5)));
        CallEvents third = events(0, second.events().getLast().id());
        assertThat(third.events()).hasExactlyElementsOfTypes(CallEvent.Result.class);
        assertThat(third.ended()).isTrue();
        assertThat(events(0, third.events().getLast().id()).events()).isEmpty();
        assertThat(events(0, first.events().getFirst().id()).events()).as("behind accepted")
                .hasExactlyElementsOfTypes(CallEvent.Pending.class, CallEvent.Result.class);
    }

    @Test
    void aResultThatIsReadBeforeItsCallWaitsForIt() {
        model.read(result(BUILD, 0, ResultStatus.OK, null, at(1)));
        assertThat(model.view(0)).isEmpty();

        model.read(called(BUILD, at(0)));
        assertThat(view(0).stage()).isEqualTo(CallStage.ENDED);
    }

    @Test
    void aDuplicateIsACallOfItsOwnWithTheReplayedResult() {
        model.read(called(BUILD, at(0)), called(BUILD, at(1)), result(BUILD, 0, ResultStatus.OK, null, at(2)));
        assertThat(view(1).stage()).isEqualTo(CallStage.ACCEPTED);

        model.read(result(BUILD, 1, ResultStatus.OK, null, true, at(3)));
        assertThat(view(1).result()).extracting(it -> it.replayed()).isEqualTo(true);
        assertThat(view(0).result()).extracting(it -> it.replayed()).isEqualTo(false);
        assertThat(model.store(CallProcessor.INDEX)
                .get(IndexKey.identity(IndexKey.digest(CallIdentity.of(BUILD, 0, 1)))))
                .as("the identity leads to the first").isEqualTo(IndexKey.offset(0));
    }

    @Test
    void aSecondFinalResultChangesNothing() {
        model.read(called(BUILD, at(0)), result(BUILD, 0, ResultStatus.OK, null, at(1)));
        Map<String, String> before = model.content();
        model.read(result(BUILD, 0, ResultStatus.ERROR, null, at(2)));

        assertThat(model.content()).isEqualTo(before);
        assertThat(view(0).result()).extracting(it -> it.status()).isEqualTo(ResultStatus.OK);
    }

    @Test
    void aCallThatCannotBeReadHasNoViewAndIsPassed() {
        model.read(new CallRecords.Written(Topic.CALL, "chat-1", bytes("no json"), KafkaHeaders.of(Map.of()), at(0)),
                called(BUILD, at(1)));

        assertThat(model.view(0)).isEmpty();
        assertThat(view(1).call()).isEqualTo(BUILD);
        assertThat(model.feed().position(0)).isEqualTo(2);
    }

    @Test
    void recordsThatCannotBeReadArePassedOver() {
        for (Topic topic : List.of(Topic.RESULT, Topic.PROGRESS, Topic.PENDING, Topic.DECISION)) {
            model.read(new CallRecords.Written(topic, "chat-1", bytes("[1]"), KafkaHeaders.of(Map.of()), at(0)),
                    new CallRecords.Written(topic, "chat-1", null, KafkaHeaders.of(Map.of()), at(0)));
        }
        assertThat(model.content()).isEmpty();
    }

    @Test
    void theLatestReportsOfARunningCallAreKept() {
        model.read(called(BUILD, at(0)));
        for (int i = 0; i < CallProcessor.REPORTS + 5; i++)
            model.read(progress(BUILD, 0, i, at(i)));

        List<CallEvent> events = model.events(0, null).orElseThrow().events();
        assertThat(events).hasSize(1 + CallProcessor.REPORTS);
        assertThat(events.get(1).at()).isEqualTo(at(5));
    }

    @Test
    void aPendingCallWhoseRecordIsDeletedIsShownByItsWait() {
        model.read(waits(pending(BUILD, 0, 7, "h1", null, at(-90_000)), at(-90_000)));
        assertThat(view(7).call()).isEqualTo(BUILD);
        assertThat(view(7).stage()).isEqualTo(CallStage.PENDING);

        model.read(closed("h1", at(-80_000)));
        assertThat(view(7).stage()).isEqualTo(CallStage.RESUMED);
    }

    @Test
    void aCallIsForgottenADayAfterItsResultWithAllThatIsKnownOfIt() {
        model.read(called(BUILD, at(0)), progress(BUILD, 0, 1, at(1)), result(BUILD, 0, ResultStatus.OK, null, at(2)));
        model.pass(Duration.ofHours(24).minusMinutes(1));
        assertThat(model.view(0)).isPresent();

        model.pass(Duration.ofMinutes(2));
        assertThat(model.view(0)).isEmpty();
        assertThat(model.content()).as("only the position is left").containsOnlyKeys("index 46");
    }

    @Test
    void anOpenHandleKeepsItsCallUntilItEnds() {
        PendingCall work = pending(BUILD, 0, 0, "h1", null, at(1));
        model.read(called(BUILD, at(0)), waits(work, at(1)), result(BUILD, 0, ResultStatus.PENDING, "h1", at(1)),
                called(call("chat-2", "c2"), at(2)), result(call("chat-2", "c2"), 1, ResultStatus.OK, null, at(3)));
        model.pass(Duration.ofHours(29));
        assertThat(view(0).stage()).isEqualTo(CallStage.PENDING);
        assertThat(model.view(1)).as("a later call that has ended").isEmpty();

        Instant late = at(Duration.ofHours(29).toSeconds());
        model.read(closed("h1", late), result(BUILD, 0, ResultStatus.OK, "h1", late));
        model.pass(Duration.ofHours(23));
        assertThat(view(0).stage()).isEqualTo(CallStage.ENDED);
        model.pass(Duration.ofHours(2));
        assertThat(model.content()).containsOnlyKeys("index 46");
    }

    @Test
    void aCallWithoutAResultIsKeptForAWeek() {
        model.read(called(BUILD, at(0)));
        model.pass(Duration.ofDays(6));
        assertThat(model.view(0)).isPresent();
        model.pass(Duration.ofDays(2));
        assertThat(model.view(0)).isEmpty();
    }

    @Test
    void manyCallsAreForgottenInPieces() {
        for (int i = 0; i < 1_500; i++) {
            ToolCall each = call("chat-" + i % 7, "c" + i);
            model.read(called(each, at(0)), result(each, i, ResultStatus.OK, null, at(1)));
        }
        for (int i = 0; i < 4; i++)
            model.pass(Duration.ofHours(25).plusMinutes(2L * i));
        assertThat(model.content()).containsOnlyKeys("index 46");
    }

    @Test
    void aDecisionBeforeItsPendingCallIsForgottenAfterADay() {
        model.read(decided(Decision.reject("unknown", "ann", null), at(0)));
        assertThat(model.content()).hasSize(1);
        model.pass(Duration.ofHours(25));
        assertThat(model.content()).isEmpty();
    }

    @Test
    void theResultsOfAnInstanceAreIndexedInTheirOrder() {
        model.read(called(BUILD, at(0)), called(call("chat-1", "c2"), at(0)),
                result(call("chat-1", "c2"), 1, ResultStatus.OK, null, at(1)),
                result(BUILD, 0, ResultStatus.OK, null, at(2)));
        byte[] instance = IndexKey.digest("chat-1");

        try (var results = model.store(CallProcessor.INDEX).range(IndexKey.result(instance, 0),
                IndexKey.result(instance, Long.MAX_VALUE))) {
            assertThat(results).toIterable().extracting((KeyValue<byte[], byte[]> it) -> IndexKey.offset(it.value))
                    .containsExactly(1L, 0L);
        }
    }
}
