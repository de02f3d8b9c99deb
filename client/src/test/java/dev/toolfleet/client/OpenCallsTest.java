package dev.toolfleet.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OpenCallsTest {
    private final OpenCalls calls = new OpenCalls();
    private long nextOffset;

    @Test
    void aResultGoesToTheCallAtItsPartitionAndOffset() {
        OpenCall one = sent(call("call_0", "step-1"), 3, 10);
        OpenCall other = sent(call("call_1", "step-1"), 3, 11);

        calls.offer(arrived(Results.ok(call("call_1", "step-1"), 11), 3));

        assertThat(finalOf(other)).isPresent();
        assertThat(finalOf(one)).isEmpty();
        assertThat(calls.all()).containsExactly(one);
    }

    @Test
    void anIdRepeatedInAnotherStepIsAnotherCall() {
        OpenCall first = sent(call("call_0", "step-1"), 0, 1);
        OpenCall second = sent(call("call_0", "step-2"), 0, 2);

        calls.offer(arrived(Results.ok(call("call_0", "step-2"), 2), 0));

        assertThat(finalOf(second)).isPresent();
        assertThat(finalOf(first)).isEmpty();
    }

    @Test
    void theFinalResultOfAPendingCallIsForItsDuplicatesToo() {
        ToolCall twice = call("call_0", "step-1");
        OpenCall duplicate = sent(twice, 0, 5);

        calls.offer(arrived(Results.replayed(Results.pending(twice, 5, "h-1")), 0));
        calls.offer(arrived(Results.error(twice, 9, ErrorCode.E_CALL_IDENTITY_CONFLICT), 0));
        assertThat(finalOf(duplicate)).as("another call's refusal").isEmpty();
        calls.offer(arrived(Results.ok(twice, 1), 0));

        assertThat(finalOf(duplicate)).isPresent();
    }

    @Test
    void aPendingCallNeedsItsPendingResultAndWhatFollows() {
        ToolCall call = call("call_0", "step-1");
        OpenCall open = sent(call, 0, 5);
        ArrivedResult pending = arrived(Results.pending(call, 5, "h-1"), 0);

        calls.offer(pending);

        assertThat(calls.needed()).isEqualTo(Map.of(0, pending.offset()));
        assertThat(calls.pending(open)).get().extracting(OpenCall.PendingAt::handle).isEqualTo("h-1");
    }

    @Test
    void theSameOffsetInAnotherPartitionIsAnotherCall() {
        OpenCall call = sent(call("call_0", "step-1"), 0, 1);

        calls.offer(arrived(Results.ok(call("call_0", "step-1"), 1), 7));

        assertThat(finalOf(call)).isEmpty();
    }

    @Test
    void anEarlierResultOfTheSameIdentityIsNotTheAnswerUntilItIsReplayed() {
        ToolCall twice = call("call_0", "step-1");
        OpenCall duplicate = sent(twice, 0, 5);

        calls.offer(arrived(Results.ok(twice, 1), 0));
        assertThat(finalOf(duplicate)).isEmpty();

        calls.offer(arrived(Results.replayed(Results.ok(twice, 1)), 0));
        assertThat(finalOf(duplicate)).map(ToolResult::replayed).contains(true);
    }

    @Test
    void theReplayedResultOfOtherArgumentsIsNotTheAnswer() {
        ToolCall changed = call("call_0", "step-1").with(Json.MAPPER.createObjectNode().put("other", true), null);
        OpenCall conflicting = sent(changed, 0, 5);

        calls.offer(arrived(Results.replayed(Results.ok(call("call_0", "step-1"), 1)), 0));
        assertThat(finalOf(conflicting)).isEmpty();

        calls.offer(arrived(Results.error(changed, 5, ErrorCode.E_CALL_IDENTITY_CONFLICT), 0));
        assertThat(finalOf(conflicting)).map(ToolResult::status).contains(ResultStatus.ERROR);
    }

    @Test
    void theReplayedResultOfAKeyAnswersACallWithAnotherId() {
        ToolCall retried = ToolCall.of("call_9", "bash__exec", Json.MAPPER.createObjectNode(), "i").named("k");
        OpenCall open = sent(retried, 0, 5);
        ToolCall first = ToolCall.of("call_0", "bash__exec", Json.MAPPER.createObjectNode(), "i").named("k");

        calls.offer(new ArrivedResult(0, nextOffset++, CallIdentity.of(first, 0, 1), Results.ok(first, 1)));
        assertThat(finalOf(open)).isEmpty();
        calls.offer(new ArrivedResult(0, nextOffset++, CallIdentity.of(first, 0, 1),
                Results.replayed(Results.ok(first, 1))));

        assertThat(finalOf(open)).map(ToolResult::replayed).contains(true);
    }

    @Test
    void aResultThatIsReadBeforeTheProducerAnswersIsKeptForItsCall() {
        ToolCall call = ToolCall.of("call_0", "bash__exec", Json.MAPPER.createObjectNode(), "i");
        OpenCall open = sending(call);

        calls.offer(arrived(Results.ok(call, 41), 2));
        calls.offer(arrived(Results.ok(call, 42), 2));
        assertThat(finalOf(open)).isEmpty();
        landed(open, call, 2, 42);

        assertThat(finalOf(open)).map(ToolResult::callOffset).contains(42L);
    }

    @Test
    void resultsAreKeptOnlyForCallsThatWereUnderWayBeforeThem() {
        ToolCall first = call("call_0", "step-1");
        OpenCall before = sending(first);
        for (int i = 1; i <= 1000; i++) {
            // Sends overlap: at every moment one is under way.
            ToolCall next = call("call_" + i, "step-1");
            OpenCall after = sending(next);
            calls.offer(arrived(Results.ok(call("another", "step-1"), 5000 + i), 0));
            calls.offer(arrived(Results.ok(next, i), 0));
            landed(before, first, 0, i - 1);
            assertThat(calls.parked()).isLessThanOrEqualTo(2);
            assertThat(i == 1 || finalOf(before).isPresent()).isTrue();
            before = after;
            first = next;
        }
        calls.remove(before);
        assertThat(calls.parked()).isZero();
    }

    @Test
    void resultsKeptForASendThatTakesLongAreLimited() {
        OpenCall slow = sending(call("call_0", "step-1"));

        for (int i = 0; i < ParkedResults.MAX_PER_INSTANCE + 2; i++)
            calls.offer(arrived(Results.ok(call("another", "step-1"), i), 0));
        assertThat(calls.parked()).isEqualTo(ParkedResults.MAX_PER_INSTANCE);
        calls.offer(arrived(Results.ok(call("call_0", "step-1"), 99_999), 0));
        landed(slow, call("call_0", "step-1"), 0, 99_999);

        assertThat(finalOf(slow)).isPresent();
        assertThat(calls.parked()).isZero();
    }

    @Test
    void aPendingResultIsTakenOnceAndTheCallStaysOpen() {
        ToolCall call = call("call_0", "step-1");
        OpenCall open = sent(call, 0, 1);
        List<ToolResult> pending = new ArrayList<>();
        open.handle.onPending(pending::add);

        ArrivedResult first = arrived(Results.pending(call, 1, "h-1"), 0);
        calls.offer(first);
        calls.offer(first);
        assertThat(pending).hasSize(1);
        assertThat(finalOf(open)).isEmpty();

        calls.offer(arrived(Results.ok(call, 1), 0));
        assertThat(finalOf(open)).isPresent();
        assertThat(calls.all()).isEmpty();
    }

    @Test
    void anAwaitedCallIsFoundByIdentityButNotByTheRefusalOfAConflictingOne() {
        ToolCall call = call("call_0", "step-1");
        OpenCall awaited = OpenCall.awaited(CallIdentity.of(call, 0, 9), Optional.of("i"), Map.of(0, 0L), handle());
        calls.register(awaited);

        calls.offer(arrived(Results.error(call, 10, ErrorCode.E_CALL_IDENTITY_CONFLICT), 0));
        assertThat(finalOf(awaited)).isEmpty();

        calls.offer(arrived(Results.ok(call, 9), 0));
        assertThat(finalOf(awaited)).isPresent();
    }

    @Test
    void anAwaitedCallWithoutStepIsFoundByItsRecord() {
        ToolCall call = ToolCall.of("call_0", "bash__exec", Json.MAPPER.createObjectNode(), "i");
        OpenCall awaited = OpenCall.awaited(CallIdentity.of(call, 4, 9), Optional.empty(), Map.of(4, 0L), handle());
        calls.register(awaited);
        assertThat(calls.concerns("whoever")).isTrue();

        calls.offer(arrived(Results.ok(call, 8), 4));
        assertThat(finalOf(awaited)).isEmpty();
        calls.offer(arrived(Results.ok(call, 9), 4));

        assertThat(finalOf(awaited)).isPresent();
    }

    @Test
    void anInstanceConcernsTheClientWhileOneOfItsCallsIsOpen() {
        OpenCall one = sent(call("call_0", "step-1"), 0, 1);
        OpenCall two = sending(call("call_1", "step-1"));
        assertThat(calls.concerns("i")).isTrue();
        assertThat(calls.concerns("another")).isFalse();

        calls.remove(one);
        assertThat(calls.concerns("i")).isTrue();
        assertThat(calls.remove(two)).isTrue();
        assertThat(calls.remove(two)).isFalse();

        assertThat(calls.concerns("i")).isFalse();
    }

    @Test
    void whatOpenCallsNeedIsTheirLowestStartInThePartitionsThatTheyMayBeIn() {
        ToolCall call = call("call_0", "step-1");
        OpenCall landed = OpenCall.sending(call, Map.of(0, 5L, 1, 7L), handle());
        calls.register(landed);
        landed(landed, call, 1, 1);
        assertThat(calls.needed()).containsExactlyInAnyOrderEntriesOf(Map.of(1, 7L));

        calls.register(OpenCall.sending(call("call_1", "step-1"), Map.of(0, 6L, 1, 9L), handle()));
        assertThat(calls.needed()).containsExactlyInAnyOrderEntriesOf(Map.of(0, 6L, 1, 7L));
    }

    private static ToolCall call(String id, String step) {
        return ToolCall.of(id, "bash__exec", Json.MAPPER.createObjectNode(), "i").inStep("coder", "t-1", step, 0);
    }

    private OpenCall sending(ToolCall call) {
        OpenCall open = OpenCall.sending(call, Map.of(), handle());
        calls.register(open);
        return open;
    }

    private OpenCall sent(ToolCall call, int partition, long offset) {
        OpenCall open = sending(call);
        landed(open, call, partition, offset);
        return open;
    }

    private void landed(OpenCall open, ToolCall call, int partition, long offset) {
        calls.sent(open, CallIdentity.of(call, partition, offset), partition, offset);
    }

    private static CallHandle handle() {
        return new CallHandle(Runnable::run);
    }

    private ArrivedResult arrived(ToolResult result, int partition) {
        return new ArrivedResult(partition, nextOffset++, Results.identity(result, partition), result);
    }

    private static Optional<ToolResult> finalOf(OpenCall call) {
        return Optional.ofNullable(call.handle.result().toCompletableFuture().getNow(null));
    }
}
