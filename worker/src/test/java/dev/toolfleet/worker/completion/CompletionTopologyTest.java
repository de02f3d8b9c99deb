package dev.toolfleet.worker.completion;

import java.util.List;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.worker.completion.Handles.COMPLETIONS;
import static dev.toolfleet.worker.completion.Handles.CONVERSATION;
import static dev.toolfleet.worker.completion.Handles.HANDLE;
import static dev.toolfleet.worker.completion.Handles.PENDING;
import static dev.toolfleet.worker.completion.Handles.START;
import static dev.toolfleet.worker.completion.Handles.completed;
import static dev.toolfleet.worker.completion.Handles.error;
import static dev.toolfleet.worker.completion.Handles.progress;
import static dev.toolfleet.worker.completion.Handles.waiting;
import static org.assertj.core.api.Assertions.assertThat;

class CompletionTopologyTest extends TopologyFixture {
    @Test
    void anEndGoesToTheFleetWithATombstone() {
        send(waiting(7));
        send(completed(null));

        TestRecord<byte[], byte[]> resumed = one(Topic.CALL_RESUMED);
        assertThat(resumed.key()).isEqualTo(utf8(CONVERSATION));
        assertThat(KafkaHeaders.text(resumed.headers(), "ce_type")).isEqualTo("dev.toolfleet.tool.call.resumed.v1");
        ResumedCall call = RESUMED.read(resumed.value());
        assertThat(call.outcome()).isEqualTo(completed(null));
        assertThat(call.callOffset()).isEqualTo(7);
        assertThat(call.call().argsObject()).isEmpty();
        assertThat(call.origin()).isEqualTo(waiting(7).origin());
        assertThat(read(Topic.PENDING)).singleElement().satisfies(tombstone -> {
            assertThat(tombstone.key()).isEqualTo(utf8(HANDLE));
            assertThat(tombstone.value()).isNull();
        });
        assertThat(registry.get(WorkerMeters.HANDLES_OPENED).counter().count()).isEqualTo(1);
        assertThat(count(WorkerMeters.HANDLES_ENDED, WorkerMeters.HOW, "completed")).isEqualTo(1);
        assertThat(outcomes()).isEmpty();
    }

    @Test
    void whatIsLateIsADeadLetterAsItCame() {
        send(waiting(7));
        send(completed(null));
        send(Handles.failed("too late"));

        TestRecord<byte[], byte[]> letter = one(Topic.DEAD_LETTER);
        assertThat(letter.value()).isEqualTo(COMPLETIONS.write(Handles.failed("too late")));
        assertThat(letter.key()).isEqualTo(utf8(HANDLE));
        assertThat(KafkaHeaders.text(letter.headers(), WireHeaders.REASON)).isEqualTo("late");
        assertThat(KafkaHeaders.text(letter.headers(), WireHeaders.ORIGIN)).isEqualTo("acme.tool.completion/0/1");
        assertThat(KafkaHeaders.text(letter.headers(), WireHeaders.WORKER)).isEqualTo("w1");
        assertThat(KafkaHeaders.text(letter.headers(), "own")).isEqualTo("kept");
        assertThat(count(WorkerMeters.HANDLES_DEAD_LETTERS, WorkerMeters.REASON, "late")).isEqualTo(1);
        assertThat(outcomes()).hasSize(1);
    }

    @Test
    void whatSaysNothingIsADeadLetterAndHoldsUpNobody() {
        send(waiting(7));
        send(Topic.COMPLETION, utf8("k"), utf8("not json"));
        send(Topic.COMPLETION, null, null);
        send(Topic.COMPLETION, utf8("k"), utf8("{\"kind\":\"completed\"}"));
        send(Topic.COMPLETION, utf8("k"), utf8("{\"kind\":\"completed\",\"handle\":\"" + "h".repeat(10_000) + "\"}"));
        send(Topic.COMPLETION, utf8("k"),
                utf8("{\"kind\":\"progress\",\"handle\":\"h-1\",\"progress\":{\"percent\":400}}"));
        send(Topic.CONTROL, utf8("k"), utf8("[]"));
        send(Topic.CONTROL, utf8("k"), utf8("{\"instanceKey\":\"i\"}"));
        send(Topic.CONTROL, utf8("k"), utf8("{\"instanceKey\":\"i\",\"toolCallId\":\"c1\"}"));
        send(Topic.PENDING, utf8("other"), PENDING.write(waiting(8)));
        send(Topic.PENDING, utf8(HANDLE), utf8("{}"));
        PendingCall nowhere = new PendingCall(HANDLE, PendingCall.Kind.ASYNC, waiting(8).call(), 4, 8, null, null,
                START,
                null, null, START, null);
        send(nowhere);

        assertThat(letters()).hasSize(10).allSatisfy((reason, origin) -> {
            assertThat(reason).startsWith("malformed: ");
            assertThat(origin).startsWith("acme.tool.");
        });
        assertThat(outcomes()).as("the one that names a call").singleElement()
                .extracting(ResumedCall::callOffset).isEqualTo(8L);
        send(completed(null));
        assertThat(outcomes()).hasSize(1);
    }

    @Test
    void anEndThatNoRecordTakesIsAnErrorThatSaysSo() {
        send(waiting(7));
        String large = "x".repeat(RawRecord.MAX_BYTES);
        send(Topic.COMPLETION, utf8("k"), utf8("{\"kind\":\"progress\",\"handle\":\"h-1\",\"progress\":{\"message\":\""
                + large + "\"}}"));
        assertThat(read(Topic.DEAD_LETTER)).singleElement()
                .satisfies(letter -> assertThat(letter.value()).hasSize(RawRecord.MAX_BYTES));
        send(Topic.COMPLETION, utf8("k"),
                utf8("{\"kind\":\"completed\",\"handle\":\"h-1\",\"output\":\"" + large + "\"}"));

        Completion outcome = end();
        assertThat(error(outcome).code()).isEqualTo("E_TOOL_RESULT_TOO_LARGE");
    }

    @Test
    void aLaterCallWithTheHandleEndsAndTheHolderStandsOnTheTopicAgain() {
        send(waiting(4));
        send(waiting(5));

        List<ResumedCall> ended = outcomes();
        assertThat(ended).singleElement().satisfies(call -> {
            assertThat(call.callOffset()).isEqualTo(5);
            assertThat(call.outcome()).isNotNull().extracting(Completion::error).isNotNull();
        });
        assertThat(read(Topic.PENDING)).singleElement()
                .satisfies(again -> assertThat(again.value()).isEqualTo(PENDING.write(waiting(4))));
        send(completed(null));
        assertThat(outcomes()).singleElement().satisfies(call -> assertThat(call.callOffset()).isEqualTo(4));
    }
}
