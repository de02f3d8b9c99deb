package dev.toolfleet.worker.completion;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.CompletionDecoder;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.worker.completion.Handles.HANDLE;
import static dev.toolfleet.worker.completion.Handles.PENDING;
import static dev.toolfleet.worker.completion.Handles.completed;
import static dev.toolfleet.worker.completion.Handles.error;
import static dev.toolfleet.worker.completion.Handles.waiting;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// A record of `tool.pending` that cannot be kept ends its call, if it names one.
class UnusablePendingTest extends TopologyFixture {
    private static PendingCall ofSize(int bytes) {
        PendingCall small = withArgument("");
        PendingCall call = withArgument("x".repeat(bytes - PENDING.write(small).length));
        assertThat(PENDING.write(call)).hasSize(bytes);
        return call;
    }

    private static PendingCall withArgument(String text) {
        PendingCall call = waiting(7);
        ObjectNode args = Json.MAPPER.createObjectNode().put("text", text);
        return call.forCall(call.call().with(args, null), call.output());
    }

    private static byte[] edited(PendingCall call, Consumer<ObjectNode> edit) {
        ObjectNode record = (ObjectNode) Json.MAPPER.readTree(PENDING.write(call));
        edit.accept(record);
        return record.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void theLargestPendingCallThatAWorkerWritesIsKept() {
        send(ofSize(PendingCall.MAX_BYTES));

        assertThat(letters()).isEmpty();
        send(completed(null));
        assertThat(end()).isEqualTo(completed(null));
    }

    @Test
    void aLargerOneEndsItsCallAndIsNoOpenHandle() {
        send(ofSize(PendingCall.MAX_BYTES + 1));

        ResumedCall ended = outcomes().getFirst();
        assertThat(ended.callOffset()).isEqualTo(7);
        assertThat(ended.call().argsObject()).isEmpty();
        assertThat(error(requireNonNull(ended.outcome())).code()).isEqualTo("E_TOOL_RESULT_TOO_LARGE");
        assertThat(read(Topic.PENDING)).singleElement()
                .satisfies(tombstone -> assertThat(tombstone.value()).isNull());
        assertThat(letters()).hasSize(1);
    }

    @Test
    void aRecordThatLacksWhatAStateNeedsEndsItsCall() {
        send(Topic.PENDING, utf8(HANDLE), edited(waiting(5), record -> record.remove("deadline")));
        send(Topic.PENDING, utf8(HANDLE), edited(waiting(6), record -> record.put("kind", "vote")));

        assertThat(outcomes()).hasSize(2).allSatisfy(ended -> {
            assertThat(error(requireNonNull(ended.outcome())).code()).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
            assertThat(requireNonNull(ended.outcome()).handle()).isEqualTo(HANDLE);
        }).extracting(ResumedCall::callOffset).containsExactly(5L, 6L);
        assertThat(letters()).isNotEmpty();
    }

    @Test
    void whoHoldsTheHandleGoesOnAndStandsOnTheTopicAgain() {
        send(waiting(4));
        send(Topic.PENDING, utf8(HANDLE), edited(waiting(5), record -> record.remove("deadline")));

        assertThat(outcomes()).singleElement().extracting(ResumedCall::callOffset).isEqualTo(5L);
        assertThat(read(Topic.PENDING)).singleElement()
                .satisfies(again -> assertThat(again.value()).isEqualTo(PENDING.write(waiting(4))));
        send(completed(null));
        assertThat(outcomes()).singleElement().extracting(ResumedCall::callOffset).isEqualTo(4L);
    }

    @Test
    void aBrokenCopyOfTheOpenCallEndsNothing() {
        send(waiting(4));
        send(Topic.PENDING, utf8(HANDLE), edited(waiting(4), record -> record.remove("deadline")));

        assertThat(outcomes()).isEmpty();
        assertThat(read(Topic.PENDING)).singleElement()
                .satisfies(again -> assertThat(again.value()).isEqualTo(PENDING.write(waiting(4))));
    }

    @Test
    void aRecordThatNamesNoCallIsADeadLetterAlone() {
        send(Topic.PENDING, utf8(HANDLE), edited(waiting(5), record -> record.remove("call")));
        send(Topic.PENDING, utf8(HANDLE), edited(waiting(5), record -> record.put("partition", 4)));
        send(Topic.PENDING, utf8(HANDLE), utf8("[]"));

        assertThat(letters()).hasSize(3);
        assertThat(outcomes()).isEmpty();
        assertThat(read(Topic.PENDING)).isEmpty();
    }

    @Test
    void theEndThatItMakesIsACompletionThatWorkersRead() {
        send(Topic.PENDING, utf8("other"), PENDING.write(waiting(8)));

        Completion end = end();
        assertThat(CompletionDecoder.problem(end)).isNull();
    }
}
