package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

class PartitionStateTest {
    private static final long MINUTE = 60_000;

    private final PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(10), 100),
            System::nanoTime);

    @Test
    void aCallThatNobodyKnowsIsFreshAndRunsFromThenOn() {
        assertThat(state.judge(call("c1", 1, 0))).isEqualTo(new CallStanding.Fresh());
        assertThat(state.judge(call("c2", 1, 1))).isEqualTo(new CallStanding.Fresh());
    }

    @Test
    void aDuplicateOfARunningCallWaitsForItAndIsThenAnswered() {
        state.judge(call("c1", 1, 0));

        CallStanding twin = state.judge(call("c1", 1, 5));
        assertThat(twin).isInstanceOfSatisfying(CallStanding.Twin.class, it -> assertThat(it.ended()).isNotDone());
        state.committed(call("c1", 1, 0), 77, MINUTE);

        assertThat(((CallStanding.Twin) twin).ended()).isCompleted();
        assertThat(state.judge(call("c1", 1, 5))).isInstanceOfSatisfying(CallStanding.Answered.class,
                answered -> assertThat(answered.answer().resultOffset()).isEqualTo(77));
    }

    @Test
    void theSameIdentityWithOtherArgumentsIsAConflictWhereverItsTwinIs() {
        state.judge(call("running", 1, 0));
        assertThat(state.judge(call("running", 2, 1))).isEqualTo(new CallStanding.Conflict());

        state.committed(call("running", 1, 0), 7, MINUTE);
        assertThat(state.judge(call("running", 2, 2))).isEqualTo(new CallStanding.Conflict());

        state.restoreOpen(intent(call("open", 1, 3)), -1);
        assertThat(state.judge(call("open", 2, 4))).isEqualTo(new CallStanding.Conflict());
    }

    @Test
    void callsOfOtherStepsAreOtherCalls() {
        state.judge(call("c1", 1, 0));

        IdentifiedCall next = IdentifiedCall.of(new Arrival.Call(new Position(0, 1, 1),
                toolCall("c1", 1).inStep("coder", "turn", "step-2", 1), 0, null, 10));

        assertThat(state.judge(next)).as("models count their ids from 0 in every response")
                .isEqualTo(new CallStanding.Fresh());
    }

    @Test
    void aCallWithoutStepIsItsRecordAlone() {
        IdentifiedCall first = unstepped(0);
        IdentifiedCall second = unstepped(1);

        state.judge(first);
        state.committed(first, 7, MINUTE);

        assertThat(state.judge(second)).isEqualTo(new CallStanding.Fresh());
    }

    @Test
    void aRecordThatIsReadTwiceIsDone() {
        IdentifiedCall call = call("c1", 1, 4);
        state.restoreAnswer(call.identity().text(), 4, -1, new EarlierAnswer(call.fingerprintDigest(), 9, MINUTE),
                false);

        assertThat(state.judge(call)).isEqualTo(new CallStanding.Done());
        assertThat(state.judge(call("c1", 1, 8))).as("written twice is another thing")
                .isInstanceOf(CallStanding.Answered.class);
    }

    @Test
    void anIntentOfAnEarlierOwnerIsFoundUntilTheCallIsAnswered() {
        IdentifiedCall call = call("c1", 1, 0);
        CallIntent intent = intent(call);
        state.restoreOpen(intent, -1);

        assertThat(state.judge(call)).isEqualTo(new CallStanding.Open(intent, false));
        assertThat(state.judge(call("c1", 1, 3))).as("it runs from then on").isInstanceOf(CallStanding.Twin.class);
        state.committed(call, 5, MINUTE);

        assertThat(state.open()).isEmpty();
        assertThat(state.judge(call("c1", 1, 3))).isInstanceOf(CallStanding.Answered.class);
    }

    // It had forgotten the answer, and began the call once more.
    @Test
    void anIntentOfAnEarlierOwnerCountsMoreThanAnAnswerFromBeforeIt() {
        IdentifiedCall call = call("c1", 1, 0);
        state.restoreAnswer(call.identity().text(), 0, -1, new EarlierAnswer(call.fingerprintDigest(), 9, MINUTE),
                false);
        CallIntent intent = intent(call("c1", 1, 7));
        state.restoreOpen(intent, -1);

        assertThat(state.judge(call("c1", 1, 7))).isEqualTo(new CallStanding.Open(intent, false));
    }

    @Test
    void anEntryThatCannotBeReadCountsUntilItIsClosedOrReplaced() {
        IdentifiedCall call = call("c1", 1, 0);
        state.restoreUnreadable(call.identity().text());
        state.restoreClosed(call.identity().text());
        assertThat(state.judge(call)).isEqualTo(new CallStanding.Fresh());
        IdentifiedCall other = call("c2", 1, 1);
        state.restoreUnreadable(other.identity().text());
        state.restoreOpen(intent(other), -1);

        assertThat(state.judge(other)).isEqualTo(new CallStanding.Open(intent(other), false));
    }

    @Test
    void aCallWhoseEntryCannotBeReadRunsNeitherNowNorAsADuplicateAndHasOneAnswer() {
        IdentifiedCall call = call("c1", 1, 0);
        state.restoreUnreadable(call.identity().text());

        assertThat(state.judge(call)).isEqualTo(new CallStanding.Unreadable());
        assertThat(state.judge(call("c1", 1, 3))).isInstanceOf(CallStanding.Twin.class);
        state.committed(call, 5, MINUTE);

        assertThat(state.judge(call("c1", 1, 3))).isInstanceOf(CallStanding.Answered.class);
    }

    @Test
    void anIntentThatWasClosedIsNoneAndTheLatestOfItsKindCounts() {
        CallIntent intent = intent(call("c1", 1, 0));
        state.restoreOpen(intent, -1);
        state.restoreClosed(intent.identity());

        assertThat(state.judge(call("c1", 1, 0))).isEqualTo(new CallStanding.Fresh());
    }

    @Test
    void twinsOfACallThatIsLeftOrWhoseAssignmentEndsWaitInVain() {
        state.judge(call("left", 1, 0));
        CallStanding.Twin left = (CallStanding.Twin) state.judge(call("left", 1, 1));
        state.left(call("left", 1, 0));
        assertThat(left.ended()).isCancelled();

        state.judge(call("closed", 1, 2));
        CallStanding.Twin closed = (CallStanding.Twin) state.judge(call("closed", 1, 3));
        state.close();
        assertThat(closed.ended()).isCancelled();
        state.judge(call("late", 1, 4));
        assertThat(((CallStanding.Twin) state.judge(call("late", 1, 5))).ended()).isCancelled();
    }

    @Test
    void aCallThatEndsWithoutAnAnswerToRememberLetsItsTwinsAskAgain() {
        state.judge(call("broken", 1, 0));
        CallStanding.Twin twin = (CallStanding.Twin) state.judge(call("broken", 1, 1));

        state.forget(call("broken", 1, 0));

        assertThat(twin.ended()).isCompletedWithValue(null);
        assertThat(state.judge(call("broken", 1, 1))).isEqualTo(new CallStanding.Fresh());
    }

    // A backlog of an hour: twins lie minutes apart by their append times, but an hour by the clock.
    @Test
    void theWindowCountsAppendTimesOfUnfinishedCallsNotTheClock() {
        state.read(0, 0);
        state.judge(call("c1", 1, 0));
        state.committed(call("c1", 1, 0), 7, 60 * MINUTE);
        state.read(100, 5 * MINUTE);
        state.frontier(100);

        assertThat(state.judge(call("c1", 1, 120))).isInstanceOf(CallStanding.Answered.class);

        state.read(200, 71 * MINUTE);
        state.frontier(199);
        assertThat(state.answers()).as("a call of minute 5 is unfinished").isEqualTo(1);
        state.frontier(200);
        assertThat(state.answers()).isZero();
    }

    @Test
    void beyondItsMostEntriesTheOldestAnswersLeave() {
        IntStream.range(0, 150).forEach(n -> {
            state.judge(call("c" + n, 1, n));
            state.committed(call("c" + n, 1, n), n, n);
        });

        assertThat(state.answers()).isEqualTo(100);
        assertThat(state.answers(DedupeWindow::oldest)).as("how young the oldest is").isEqualTo(50);
        assertThat(state.judge(call("c149", 1, 200))).isInstanceOf(CallStanding.Answered.class);
        assertThat(state.judge(call("c49", 1, 201))).isEqualTo(new CallStanding.Fresh());
    }

    @Test
    void aCallThatWaitsForItsHandleIsRememberedBeyondTheWindow() {
        state.judge(call("build", 1, 0));
        state.committedPending(call("build", 1, 0), handle(call("build", 1, 0), "h-1"), 7, MINUTE);
        assertThat(state.judge(call("build", 1, 1))).as("its pending result").isInstanceOf(CallStanding.Answered.class);
        state.forget(call("build", 1, 1));

        IntStream.range(0, 150).forEach(n -> {
            state.judge(call("c" + n, 1, 10 + n));
            state.committed(call("c" + n, 1, 10 + n), 10 + n, MINUTE + n);
        });

        assertThat(state.judge(call("build", 1, 200))).isEqualTo(new CallStanding.Pending("h-1"));
        state.forget(call("build", 1, 200));
        assertThat(state.judge(call("build", 2, 201))).isEqualTo(new CallStanding.Conflict());
        assertThat(state.pending()).isEqualTo(1);
    }

    @Test
    void theFirstOutcomeForItsHandleEndsItAndLaterOnesEndNothing() {
        state.restorePending(handle(call("build", 1, 0), "h-1"));

        assertThat(state.judgeOutcome(call("build", 1, 0), "h-2")).as("another call's handle")
                .isEqualTo(new CallStanding.Done());
        assertThat(state.judgeOutcome(call("other", 1, 5), "h-1")).isEqualTo(new CallStanding.Done());
        assertThat(state.judgeOutcome(call("build", 1, 0), "h-1")).isEqualTo(new CallStanding.Fresh());
        assertThat(state.judgeOutcome(call("build", 1, 0), "h-1")).as("it is being published")
                .isInstanceOf(CallStanding.Twin.class);
        assertThat(state.judge(call("build", 1, 1))).as("a duplicate gets the final result")
                .isInstanceOf(CallStanding.Twin.class);

        state.committed(call("build", 1, 0), 9, MINUTE);
        assertThat(state.judgeOutcome(call("build", 1, 0), "h-1")).isEqualTo(new CallStanding.Done());
        assertThat(state.pending()).isZero();
        assertThat(state.judge(call("build", 1, 1))).isInstanceOfSatisfying(CallStanding.Answered.class,
                answered -> assertThat(answered.answer().resultOffset()).isEqualTo(9));
    }

    // Read again because the offsets of outcomes expired; the tool names its work by the call's identity.
    @Test
    void anOutcomeOfAnEarlierCallDoesNotEndItsTwinThatWaitsForTheSameHandle() {
        state.restorePending(handle(call("build", 1, 7), "h-1"));

        assertThat(state.judgeOutcome(call("build", 1, 0), "h-1")).isEqualTo(new CallStanding.Done());
        assertThat(state.judgeOutcome(call("build", 1, 7), "h-1")).isEqualTo(new CallStanding.Fresh());
    }

    // Its pending result is committed, and the transaction loop has not said so yet.
    @Test
    void anOutcomeThatIsReadBeforeItsCallIsKnownToWaitIsNotLost() {
        state.judge(call("build", 1, 0));
        CallStanding early = state.judgeOutcome(call("build", 1, 0), "h-1");
        assertThat(early).isInstanceOf(CallStanding.Twin.class);

        state.committedPending(call("build", 1, 0), handle(call("build", 1, 0), "h-1"), 7, MINUTE);

        assertThat(((CallStanding.Twin) early).ended()).isCompleted();
        assertThat(state.judgeOutcome(call("build", 1, 0), "h-1")).isEqualTo(new CallStanding.Fresh());
    }

    @Test
    void aCancellationFindsTheHandlesThatItMeans() {
        state.restorePending(handle(call("build", 1, 0), "h-1"));
        state.restorePending(handle(call("test", 1, 1), "h-2"));

        assertThat(meant(cancel("build", null), MINUTE)).containsExactly("h-1");
        assertThat(meant(cancel(null, "step"), 0)).containsExactlyInAnyOrder("h-1", "h-2");
        assertThat(meant(cancel("build", null), -1)).as("written before the call").isEmpty();
        assertThat(meant(new CancelCall("other", null, "step", null, null, null, null, null), MINUTE))
                .isEmpty();
    }

    private List<String> meant(CancelCall cancel, long writtenAt) {
        return state.waiting(calls -> calls.meant(cancel, writtenAt));
    }

    private static CancelCall cancel(@Nullable String id, @Nullable String step) {
        return new CancelCall("i", id, step, null, "me", "enough", null, null);
    }

    private static OpenHandle handle(IdentifiedCall call, String handle) {
        ToolCall made = call.arrival().call();
        return new OpenHandle(call.identity().text(), call.fingerprint(), handle, call.arrival().position().offset(),
                made.instanceKey(), made.id(), made.agentName(), made.turnId(), made.stepId(), Instant.EPOCH);
    }

    private static CallIntent intent(IdentifiedCall call) {
        return new CallIntent(call.identity().text(), call.fingerprint(), "t__run", 1, "w1", 1, Instant.EPOCH, "m1",
                null, null);
    }

    private static IdentifiedCall call(String id, int argument, long offset) {
        return IdentifiedCall.of(new Arrival.Call(new Position(0, 1, offset),
                toolCall(id, argument).inStep("coder", "turn", "step", 0), 0, null, 10));
    }

    private static IdentifiedCall unstepped(long offset) {
        return IdentifiedCall.of(new Arrival.Call(new Position(0, 1, offset), toolCall("c1", 1), 0, null, 10));
    }

    private static ToolCall toolCall(String id, int argument) {
        return ToolCall.of(id, "t__run", JsonNodeFactory.instance.objectNode().put("n", argument), "i");
    }
}
