package dev.toolfleet.worker.completion;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.toolfleet.worker.completion.Handles.CANCELS;
import static dev.toolfleet.worker.completion.Handles.CONVERSATION;
import static dev.toolfleet.worker.completion.Handles.EXPIRES;
import static dev.toolfleet.worker.completion.Handles.HANDLE;
import static dev.toolfleet.worker.completion.Handles.PENDING;
import static dev.toolfleet.worker.completion.Handles.START;
import static dev.toolfleet.worker.completion.Handles.approve;
import static dev.toolfleet.worker.completion.Handles.asking;
import static dev.toolfleet.worker.completion.Handles.completed;
import static dev.toolfleet.worker.completion.Handles.error;
import static dev.toolfleet.worker.completion.Handles.progress;
import static dev.toolfleet.worker.completion.Handles.waiting;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// A fleet that was rolled back finds states that a later version wrote: no call is forgotten, and nothing is overwritten.
class UnreadableStateTest extends TopologyFixture {
    private static byte[] golden(String name) {
        try (InputStream file = UnreadableStateTest.class.getResourceAsStream("/handle-states/" + name)) {
            return requireNonNull(file, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private KeyValueStore<String, byte[]> states() {
        return driver().getKeyValueStore(HandleStores.HANDLES);
    }

    /// As a later version leaves it: the call and what is due as ever, the state in a form of its own.
    private byte[] replaced(PendingCall call) {
        send(call);
        byte[] future = golden("from-the-future.txt");
        states().put(HANDLE, future);
        return future;
    }

    @ParameterizedTest
    @ValueSource(strings = {"open.txt", "ended.txt", "ended-with-time.txt", "early.txt"})
    void statesOfEarlierVersionsAreRead(String name) {
        assertThat(StateCodec.read(golden(name))).isNotInstanceOf(UnknownHandle.class);
    }

    @Test
    void theDeadlineOfACallWhoseStateCannotBeReadFires() {
        byte[] future = replaced(waiting(7, PendingCall.Kind.ASYNC, Duration.ofSeconds(30), null));
        advance(Duration.ofHours(24).minusSeconds(1));
        assertThat(outcomes()).isEmpty();
        assertThat(states().get(HANDLE)).isEqualTo(future);
        advance(Duration.ofSeconds(1));

        List<ResumedCall> ended = outcomes();
        assertThat(ended).singleElement().extracting(ResumedCall::callOffset).isEqualTo(7L);
        assertThat(error(requireNonNull(ended.getFirst().outcome())).code()).isEqualTo("E_TOOL_HANDLE_EXPIRED");
        assertThat(read(Topic.PENDING)).hasSize(1);
        assertThat(StateCodec.read(states().get(HANDLE))).isInstanceOf(EndedHandle.class);
    }

    @Test
    void anApprovalExpiresAndIsNotDecidedByAVersionThatCannotReadIt() {
        byte[] future = replaced(asking(7));
        send(approve());

        assertThat(letters()).containsKey("unreadable-state");
        assertThat(states().get(HANDLE)).isEqualTo(future);
        advance(Duration.between(START, EXPIRES));
        assertThat(error(end()).code()).isEqualTo("E_TOOL_APPROVAL_EXPIRED");
        assertThat(events()).hasSize(1);
    }

    private byte[] future(PendingCall call) {
        send(call);
        byte[] known = states().get(HANDLE);
        byte[] future = new String(known, StandardCharsets.UTF_8)
                .replace("\"kind\":\"approval\"", "\"kind\":\"payment\"").getBytes(StandardCharsets.UTF_8);
        assertThat(future).as("its kind is another").isNotEqualTo(known);
        states().put(HANDLE, future);
        KeyValueStore<String, byte[]> calls = driver().getKeyValueStore(HandleStores.CALLS);
        calls.put(HANDLE, new String(calls.get(HANDLE), StandardCharsets.UTF_8)
                .replace("\"kind\":\"approval\"", "\"kind\":\"payment\"").getBytes(StandardCharsets.UTF_8));
        return future;
    }

    // Otherwise: the state is read with an unknown kind, written again, and the later version has lost what it waits for.
    @Test
    void aWaitOfALaterKindIsDecidedByNobodyAndEndsAtItsDeadline() {
        byte[] future = future(asking(7));
        send(approve());
        send(completed(null));

        assertThat(letters()).containsOnlyKeys("unreadable-state");
        assertThat(outcomes()).isEmpty();
        assertThat(states().get(HANDLE)).isEqualTo(future);
        advance(Duration.between(START, EXPIRES));
        assertThat(error(end()).code()).isEqualTo("E_TOOL_HANDLE_EXPIRED");
    }

    @Test
    void aWaitOfALaterKindCanBeCancelled() {
        future(asking(7));
        send(Topic.CONTROL, utf8(CONVERSATION), CANCELS.write(Handles.cancel(CONVERSATION)));

        assertThat(error(end()).code()).isEqualTo("E_TOOL_CANCELLED");
    }

    @Test
    void somethingOfALaterKindThatIsDueHoldsUpNothing() {
        KeyValueStore<byte[], byte[]> due = driver().getKeyValueStore(HandleStores.DUE);
        byte[] later = ByteBuffer.allocate(Long.BYTES + 2).putLong(START.toEpochMilli()).put((byte) 99).put((byte) 'h')
                .array();
        due.put(later, new byte[]{1});
        send(waiting(7));
        advance(Duration.ofHours(24));

        assertThat(error(end()).code()).isEqualTo("E_TOOL_HANDLE_EXPIRED");
        assertThat(due.get(later)).as("the later version finds it").isNotNull();
    }

    // Otherwise the record is not understood, nothing follows the call, and it never ends.
    @Test
    void aPendingRecordOfALaterKindEndsItsCall() {
        send(Topic.PENDING, utf8(HANDLE), new String(PENDING.write(waiting(7)), StandardCharsets.UTF_8)
                .replace("\"kind\":\"async\"", "\"kind\":\"payment\"").getBytes(StandardCharsets.UTF_8));

        assertThat(error(end()).code()).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
        assertThat(states().get(HANDLE)).isNull();
    }

    @Test
    void workThatEndsEndsItsCall() {
        replaced(waiting(7));
        send(progress(50, "half"));
        assertThat(letters()).isEmpty();
        send(completed(null));

        assertThat(end()).isEqualTo(completed(null));
    }

    @Test
    void aTokenIsStillDemanded() {
        byte[] future = replaced(waiting(7, PendingCall.Kind.ASYNC, null, "secret"));
        send(completed("guess"));

        assertThat(letters()).containsOnlyKeys("wrong-token");
        assertThat(states().get(HANDLE)).isEqualTo(future);
        send(completed("secret"));
        assertThat(outcomes()).hasSize(1);
    }

    @Test
    void aCancellationEndsTheCall() {
        replaced(asking(7));
        send(Topic.CONTROL, utf8(CONVERSATION), CANCELS.write(Handles.cancel(CONVERSATION)));

        assertThat(error(end()).code()).isEqualTo("E_TOOL_CANCELLED");
    }

    @Test
    void anotherCallDoesNotGetTheHandle() {
        byte[] future = replaced(waiting(4));
        send(waiting(5));

        assertThat(outcomes()).singleElement().extracting(ResumedCall::callOffset).isEqualTo(5L);
        assertThat(read(Topic.PENDING)).singleElement()
                .satisfies(again -> assertThat(again.value()).isEqualTo(PENDING.write(waiting(4))));
        assertThat(states().get(HANDLE)).isEqualTo(future);
    }

    @Test
    void aStateWithoutItsCallStaysAsItIs() {
        byte[] future = golden("from-the-future.txt");
        states().put(HANDLE, future);
        send(completed(null));
        send(waiting(5));

        assertThat(letters()).containsOnlyKeys("unreadable-state");
        assertThat(error(end()).code()).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
        assertThat(states().get(HANDLE)).isEqualTo(future);
    }

    @Test
    void whatThisVersionDoesNotActOnIsLeftForTheOther() {
        replaced(waiting(7, PendingCall.Kind.ASYNC, Duration.ofSeconds(30), null));
        int before = entries(HandleStores.DUE);
        advance(Duration.ofHours(1));
        advance(Duration.ofHours(1));

        assertThat(entries(HandleStores.DUE)).as("its deadline and its heartbeat").isEqualTo(before).isEqualTo(2);
        assertThat(outcomes()).isEmpty();
    }

    @Test
    void manyUnreadableStatesHoldUpNoOther() {
        int many = HandleProcessor.DUE_PER_TICK + 1;
        byte[] future = golden("from-the-future.txt");
        for (int i = 0; i < many; i++) {
            PendingCall call = waiting(4L * i, PendingCall.Kind.ASYNC, Duration.ofSeconds(30), null);
            PendingCall own = new PendingCall("h-" + i + "-", call.kind(), call.call(), 0, i, null, null,
                    call.deadline(), call.heartbeatTimeout(), null, START, null);
            send(own);
            states().put(own.handle(), future);
        }
        send(waiting(3, PendingCall.Kind.ASYNC, Duration.ofSeconds(31), null));
        advance(Duration.ofSeconds(60));
        advance(Duration.ofSeconds(1));

        assertThat(outcomes()).singleElement().extracting(ResumedCall::callOffset).isEqualTo(3L);
    }
}
