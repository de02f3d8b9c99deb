package dev.toolfleet.worker.completion;

import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolError;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.worker.completion.Handles.CONVERSATION;
import static dev.toolfleet.worker.completion.Handles.DEADLINE;
import static dev.toolfleet.worker.completion.Handles.HANDLE;
import static dev.toolfleet.worker.completion.Handles.START;
import static dev.toolfleet.worker.completion.Handles.at;
import static dev.toolfleet.worker.completion.Handles.completed;
import static dev.toolfleet.worker.completion.Handles.failed;
import static dev.toolfleet.worker.completion.Handles.open;
import static dev.toolfleet.worker.completion.Handles.outcome;
import static dev.toolfleet.worker.completion.Handles.progress;
import static dev.toolfleet.worker.completion.Handles.said;
import static dev.toolfleet.worker.completion.Handles.unwanted;
import static dev.toolfleet.worker.completion.Handles.waiting;
import static org.assertj.core.api.Assertions.assertThat;

class HandleStateTest {
    private static final Moment NOW = at(START.plusSeconds(10));

    private static Refusal refusal(Step step) {
        assertThat(step.effects()).hasSize(1);
        return ((Effect.Letter) step.effects().getFirst()).why();
    }

    @Test
    void aPendingRecordOpensItsHandleUntilItsDeadline() {
        Step step = Unknown.HANDLE.pended(waiting(8), at(START));

        assertThat(step.effects()).isEmpty();
        assertThat(step.next()).isInstanceOf(Open.class);
        assertThat(step.next().dues()).containsExactly(Due.at(DEADLINE, Due.What.DEADLINE));
        assertThat(((Open) step.next()).call().call().argsObject()).isEmpty();
    }

    @Test
    void theFirstEndIsTheOutcomeAndClosesTheHandle() {
        Step step = open(waiting(8)).told(said(completed(null)), NOW);

        assertThat(outcome(step)).isEqualTo(completed(null));
        assertThat(step.next()).isEqualTo(new Ended(Ending.COMPLETED, NOW.now(), new CallPlace(0, 8), START, null));
    }

    @Test
    void aFailureKeepsItsSendersError() {
        assertThat(outcome(open(waiting(8)).told(said(failed("broken")), NOW))).isEqualTo(failed("broken"));
    }

    @Test
    void workThatWasGivenUpIsCancelledInItsSendersWords() {
        ToolError why = new ToolError("E_OWN", null, "the queue was emptied", null, null);

        Completion outcome = outcome(
                open(waiting(8)).told(said(Completion.cancelled(HANDLE, why, null)), NOW));

        assertThat(outcome.kind()).isEqualTo(Completion.Kind.CANCELLED);
        assertThat(outcome.error()).isNotNull().extracting(ToolError::code, ToolError::message)
                .containsExactly("E_TOOL_CANCELLED", "the queue was emptied");
    }

    @Test
    void aCallThatDemandsATokenBelievesNobodyElse() {
        Open open = open(waiting(8, PendingCall.Kind.ASYNC, null, "secret"));

        assertThat(refusal(open.told(said(completed(null)), NOW))).isEqualTo(Refusal.WRONG_TOKEN);
        assertThat(refusal(open.told(said(completed("guess")), NOW))).isEqualTo(Refusal.WRONG_TOKEN);
        assertThat(open.told(said(completed("guess")), NOW).next()).isEqualTo(open);
        assertThat(outcome(open.told(said(completed("secret")), NOW)).token()).isNull();
    }

    @Test
    void aCompletionForAnApprovalIsRefused() {
        Open open = open(waiting(8, PendingCall.Kind.APPROVAL, null, null));

        assertThat(refusal(open.told(said(completed(null)), NOW))).isEqualTo(Refusal.WRONG_KIND);
        assertThat(open.told(said(completed(null)), NOW).next()).isEqualTo(open);
    }

    @Test
    void whatComesAfterTheEndIsLate() {
        HandleState ended = open(waiting(8)).told(said(completed(null)), NOW).next();

        assertThat(refusal(ended.told(said(failed("later")), NOW))).isEqualTo(Refusal.LATE);
        assertThat(refusal(ended.told(said(progress(99, null)), NOW))).isEqualTo(Refusal.LATE);
        assertThat(ended.told(unwanted(CONVERSATION), NOW)).isEqualTo(Step.of(ended));
        assertThat(ended.dues()).containsExactly(Due.at(NOW.now().plus(Ended.KEPT), Due.What.FORGET));
        assertThat(ended.due(ended.dues().iterator().next(), NOW).next()).isEqualTo(Unknown.HANDLE);
    }

    @Test
    void aCancelledCallEndsAndItsModuleIsToldUntilItSaysThatItWas() {
        Step step = open(waiting(8)).told(unwanted(CONVERSATION), NOW);

        Completion outcome = outcome(step);
        assertThat(outcome.kind()).isEqualTo(Completion.Kind.CANCELLED);
        assertThat(outcome.error()).isNotNull().extracting(ToolError::code, ToolError::message)
                .containsExactly("E_TOOL_CANCELLED", "The call was cancelled by ops: not needed");
        assertThat(step.next().keepsCall()).isTrue();
        Due tell = Due.at(NOW.now(), Due.What.TELL);
        assertThat(step.next().dues()).contains(tell);

        Step told = step.next().due(tell, NOW);
        assertThat(told.effects()).containsExactly(new Effect.Tell(new CallPlace(0, 8)));
        assertThat(told.next().dues()).contains(Due.at(NOW.now().plus(Open.ANSWER_WITHIN), Due.What.TELL));

        HandleState informed = told.next().answered(new Answer.Informed(new CallPlace(0, 8)), NOW).next();
        assertThat(informed.keepsCall()).isFalse();
        assertThat(informed.dues()).extracting(Due::what).containsExactly(Due.What.FORGET);
    }

    @Test
    void nobodyIsToldOfACancelledApproval() {
        Step step = open(waiting(8, PendingCall.Kind.APPROVAL, null, null)).told(unwanted(CONVERSATION), NOW);

        assertThat(outcome(step).kind()).isEqualTo(Completion.Kind.CANCELLED);
        assertThat(step.next().keepsCall()).isFalse();
    }

    @Test
    void aCancellationThatNamesAnotherInstanceIsRefused() {
        Open open = open(waiting(8));

        Step step = open.told(unwanted("somebody:else"), NOW);

        assertThat(refusal(step)).isEqualTo(Refusal.WRONG_INSTANCE);
        assertThat(step.next()).isEqualTo(open);
    }

    @Test
    void theSameCallAgainChangesNothing() {
        Open open = open(waiting(8));

        assertThat(open.pended(waiting(8), NOW)).isEqualTo(Step.of(open));
    }

    @Test
    void aLaterCallWithAHandleThatIsHeldEndsAndTheHolderStandsAgain() {
        Open open = open(waiting(8));

        Step step = open.pended(waiting(9), NOW);

        assertThat(step.next()).isEqualTo(open);
        assertThat(step.effects().getFirst()).isEqualTo(new Effect.WriteAgain(open.call()));
        Effect.Outcome conflict = (Effect.Outcome) step.effects().get(1);
        assertThat(conflict.call().callOffset()).isEqualTo(9);
        assertThat(conflict.outcome().error()).isNotNull().extracting(ToolError::code)
                .isEqualTo("E_TOOL_HANDLE_CONFLICT");
    }

    @Test
    void aCallOfAnotherLogAtTheSameOffsetIsAnotherCall() {
        Open open = open(waiting(8));

        Step step = open.pended(Handles.calledAt(waiting(8), START.plusSeconds(5)), NOW);

        assertThat(step.next()).isEqualTo(open);
        assertThat(((Effect.Outcome) step.effects().get(1)).outcome().error()).isNotNull()
                .extracting(ToolError::code).isEqualTo("E_TOOL_HANDLE_CONFLICT");
    }

    @Test
    void aCallOfAnotherLogAtTheOffsetOfTheEndedOneIsAnotherCall() {
        HandleState ended = stored(open(waiting(8)).told(said(completed(null)), NOW).next());
        PendingCall ofNewLog = Handles.calledAt(waiting(8), START.plusSeconds(5));

        Step step = ended.pended(ofNewLog, NOW);

        assertThat(step.next()).isEqualTo(ended);
        assertThat(((Effect.Outcome) step.effects().getFirst()).call()).isEqualTo(ofNewLog.forCall(
                ofNewLog.call().bare(), null));
        assertThat(outcome(step).error()).isNotNull().extracting(ToolError::code)
                .isEqualTo("E_TOOL_HANDLE_CONFLICT");
        assertThat(ended.pended(waiting(8), NOW)).isEqualTo(Step.of(ended, new Effect.Tombstone()));
    }

    @Test
    void aCallIsKnownByItsPlaceWhereItsTimeIsNotKept() {
        Ended ended = new Ended(Ending.COMPLETED, NOW.now(), new CallPlace(0, 8), null, null);

        assertThat(ended.pended(waiting(8), NOW)).isEqualTo(Step.of(ended, new Effect.Tombstone()));
    }

    /// As it is read again after a restart.
    private static HandleState stored(HandleState state) {
        return StateCodec.read(StateCodec.write(state));
    }

    @Test
    void aHandleThatEndedIsNobodyElsesAndStaysClosed() {
        HandleState ended = open(waiting(8)).told(said(completed(null)), NOW).next();

        assertThat(ended.pended(waiting(8), NOW)).isEqualTo(Step.of(ended, new Effect.Tombstone()));
        Step other = ended.pended(waiting(9), NOW);
        assertThat(other.next()).isEqualTo(ended);
        assertThat(outcome(other).error()).isNotNull().extracting(ToolError::code)
                .isEqualTo("E_TOOL_HANDLE_CONFLICT");
    }

    @Test
    void whatComesBeforeThePendingRecordCountsOnceItComes() {
        HandleState early = Unknown.HANDLE.told(said(progress(5, "warm")), at(START)).next();
        early = early.told(said(progress(6, "warmer")), at(START)).next();
        early = early.told(said(completed(null)), at(START)).next();

        Step step = early.pended(waiting(8), NOW);

        assertThat(step.next()).isInstanceOf(Ended.class);
        assertThat(step.effects()).hasSize(3);
        assertThat(((Effect.Show) step.effects().getFirst()).progress().message()).isEqualTo("warmer");
        assertThat(((Effect.Outcome) step.effects().get(1)).outcome()).isEqualTo(completed(null));
    }

    @Test
    void anEarlyEndWithAWrongTokenDoesNotKeepOutTheRightOne() {
        HandleState early = Unknown.HANDLE.told(said(completed("guess")), at(START)).next();
        early = early.told(said(completed("secret")), at(START)).next();

        Step step = early.pended(waiting(8, PendingCall.Kind.ASYNC, null, "secret"), NOW);

        assertThat(step.next()).isInstanceOf(Ended.class);
        assertThat(((Effect.Letter) step.effects().getFirst()).why()).isEqualTo(Refusal.WRONG_TOKEN);
    }

    @Test
    void aSecondEarlyEndIsLateAndASecondEarlyCancellationIsNothing() {
        HandleState early = Unknown.HANDLE.told(said(completed(null)), at(START)).next();
        assertThat(refusal(early.told(said(failed("later")), NOW))).isEqualTo(Refusal.LATE);

        HandleState cancelled = Unknown.HANDLE.told(unwanted(CONVERSATION), at(START)).next();
        assertThat(cancelled.told(unwanted(CONVERSATION), NOW)).isEqualTo(Step.of(cancelled));
        assertThat(cancelled.pended(waiting(8), NOW).next()).isInstanceOfSatisfying(Ended.class,
                ended -> assertThat(ended.how()).isEqualTo(Ending.CANCELLED));
    }

    @Test
    void whoGuessesTokensFillsNoStore() {
        HandleState early = Unknown.HANDLE.told(said(completed("0")), at(START)).next();
        for (int i = 1; i < Early.MAX_ENDS; i++)
            early = early.told(said(completed("" + i)), NOW).next();

        assertThat(refusal(early.told(said(completed("more")), NOW))).isEqualTo(Refusal.UNKNOWN_HANDLE);
        Told large = new Told.Said(completed("x"), Handles.raw(Raw.Source.COMPLETION, new byte[Raw.MAX_BYTES]));
        HandleState first = Unknown.HANDLE.told(said(completed("0")), at(START)).next();
        assertThat(refusal(first.told(large, NOW))).isEqualTo(Refusal.UNKNOWN_HANDLE);
    }

    @Test
    void anHourWithoutPendingRecordMakesDeadLetters() {
        HandleState early = Unknown.HANDLE.told(said(completed(null)), at(START)).next();
        Due due = Due.at(START.plus(Early.KEPT), Due.What.FORGET);
        assertThat(early.dues()).containsExactly(due);

        Step step = early.due(due, at(START.plus(Early.KEPT)));

        assertThat(refusal(step)).isEqualTo(Refusal.UNKNOWN_HANDLE);
        assertThat(step.next()).isEqualTo(Unknown.HANDLE);
    }
}
