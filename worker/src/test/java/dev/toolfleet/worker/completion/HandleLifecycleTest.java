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

class HandleLifecycleTest {
    private static final DecisionContext NOW = at(START.plusSeconds(10));

    private static DeadLetterReason refusal(HandleLifecycle.Transition step) {
        assertThat(step.effects()).hasSize(1);
        return ((HandleEffect.Letter) step.effects().getFirst()).why();
    }

    @Test
    void aPendingRecordOpensItsHandleUntilItsDeadline() {
        HandleLifecycle.Transition step = UnknownHandle.HANDLE.pended(waiting(8), at(START));

        assertThat(step.effects()).isEmpty();
        assertThat(step.next()).isInstanceOf(PendingHandle.class);
        assertThat(step.next().dues()).containsExactly(HandleTimer.at(DEADLINE, HandleTimer.Effect.DEADLINE));
        assertThat(((PendingHandle) step.next()).call().call().argsObject()).isEmpty();
    }

    @Test
    void theFirstEndIsTheOutcomeAndClosesTheHandle() {
        HandleLifecycle.Transition step = open(waiting(8)).told(said(completed(null)), NOW);

        assertThat(outcome(step)).isEqualTo(completed(null));
        assertThat(step.next())
                .isEqualTo(new EndedHandle(CallEnd.COMPLETED, NOW.now(), new CallPlace(0, 8), START, null));
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
        PendingHandle open = open(waiting(8, PendingCall.Kind.ASYNC, null, "secret"));

        assertThat(refusal(open.told(said(completed(null)), NOW))).isEqualTo(DeadLetterReason.WRONG_TOKEN);
        assertThat(refusal(open.told(said(completed("guess")), NOW))).isEqualTo(DeadLetterReason.WRONG_TOKEN);
        assertThat(open.told(said(completed("guess")), NOW).next()).isEqualTo(open);
        assertThat(outcome(open.told(said(completed("secret")), NOW)).token()).isNull();
    }

    @Test
    void aCompletionForAnApprovalIsRefused() {
        PendingHandle open = open(waiting(8, PendingCall.Kind.APPROVAL, null, null));

        assertThat(refusal(open.told(said(completed(null)), NOW))).isEqualTo(DeadLetterReason.WRONG_KIND);
        assertThat(open.told(said(completed(null)), NOW).next()).isEqualTo(open);
    }

    @Test
    void whatComesAfterTheEndIsLate() {
        HandleLifecycle ended = open(waiting(8)).told(said(completed(null)), NOW).next();

        assertThat(refusal(ended.told(said(failed("later")), NOW))).isEqualTo(DeadLetterReason.LATE);
        assertThat(refusal(ended.told(said(progress(99, null)), NOW))).isEqualTo(DeadLetterReason.LATE);
        assertThat(ended.told(unwanted(CONVERSATION), NOW)).isEqualTo(HandleLifecycle.Transition.of(ended));
        assertThat(ended.dues())
                .containsExactly(HandleTimer.at(NOW.now().plus(EndedHandle.KEPT), HandleTimer.Effect.FORGET));
        assertThat(ended.due(ended.dues().iterator().next(), NOW).next()).isEqualTo(UnknownHandle.HANDLE);
    }

    @Test
    void aCancelledCallEndsAndItsModuleIsToldUntilItSaysThatItWas() {
        HandleLifecycle.Transition step = open(waiting(8)).told(unwanted(CONVERSATION), NOW);

        Completion outcome = outcome(step);
        assertThat(outcome.kind()).isEqualTo(Completion.Kind.CANCELLED);
        assertThat(outcome.error()).isNotNull().extracting(ToolError::code, ToolError::message)
                .containsExactly("E_TOOL_CANCELLED", "The call was cancelled by ops: not needed");
        assertThat(step.next().keepsCall()).isTrue();
        HandleTimer tell = HandleTimer.at(NOW.now(), HandleTimer.Effect.TELL);
        assertThat(step.next().dues()).contains(tell);

        HandleLifecycle.Transition told = step.next().due(tell, NOW);
        assertThat(told.effects()).containsExactly(new HandleEffect.Tell(new CallPlace(0, 8)));
        assertThat(told.next().dues())
                .contains(HandleTimer.at(NOW.now().plus(PendingHandle.ANSWER_WITHIN), HandleTimer.Effect.TELL));

        HandleLifecycle informed = told.next().answered(new ModuleAnswer.Informed(new CallPlace(0, 8)), NOW).next();
        assertThat(informed.keepsCall()).isFalse();
        assertThat(informed.dues()).extracting(HandleTimer::what).containsExactly(HandleTimer.Effect.FORGET);
    }

    @Test
    void nobodyIsToldOfACancelledApproval() {
        HandleLifecycle.Transition step = open(waiting(8, PendingCall.Kind.APPROVAL, null, null)).told(
                unwanted(CONVERSATION),
                NOW);

        assertThat(outcome(step).kind()).isEqualTo(Completion.Kind.CANCELLED);
        assertThat(step.next().keepsCall()).isFalse();
    }

    @Test
    void aCancellationThatNamesAnotherInstanceIsRefused() {
        PendingHandle open = open(waiting(8));

        HandleLifecycle.Transition step = open.told(unwanted("somebody:else"), NOW);

        assertThat(refusal(step)).isEqualTo(DeadLetterReason.WRONG_INSTANCE);
        assertThat(step.next()).isEqualTo(open);
    }

    @Test
    void theSameCallAgainChangesNothing() {
        PendingHandle open = open(waiting(8));

        assertThat(open.pended(waiting(8), NOW)).isEqualTo(HandleLifecycle.Transition.of(open));
    }

    @Test
    void aLaterCallWithAHandleThatIsHeldEndsAndTheHolderStandsAgain() {
        PendingHandle open = open(waiting(8));

        HandleLifecycle.Transition step = open.pended(waiting(9), NOW);

        assertThat(step.next()).isEqualTo(open);
        assertThat(step.effects().getFirst()).isEqualTo(new HandleEffect.WriteAgain(open.call()));
        HandleEffect.Outcome conflict = (HandleEffect.Outcome) step.effects().get(1);
        assertThat(conflict.call().callOffset()).isEqualTo(9);
        assertThat(conflict.outcome().error()).isNotNull().extracting(ToolError::code)
                .isEqualTo("E_TOOL_HANDLE_CONFLICT");
    }

    @Test
    void aCallOfAnotherLogAtTheSameOffsetIsAnotherCall() {
        PendingHandle open = open(waiting(8));

        HandleLifecycle.Transition step = open.pended(Handles.calledAt(waiting(8), START.plusSeconds(5)), NOW);

        assertThat(step.next()).isEqualTo(open);
        assertThat(((HandleEffect.Outcome) step.effects().get(1)).outcome().error()).isNotNull()
                .extracting(ToolError::code).isEqualTo("E_TOOL_HANDLE_CONFLICT");
    }

    @Test
    void aCallOfAnotherLogAtTheOffsetOfTheEndedOneIsAnotherCall() {
        HandleLifecycle ended = stored(open(waiting(8)).told(said(completed(null)), NOW).next());
        PendingCall ofNewLog = Handles.calledAt(waiting(8), START.plusSeconds(5));

        HandleLifecycle.Transition step = ended.pended(ofNewLog, NOW);

        assertThat(step.next()).isEqualTo(ended);
        assertThat(((HandleEffect.Outcome) step.effects().getFirst()).call()).isEqualTo(ofNewLog.forCall(
                ofNewLog.call().bare(), null));
        assertThat(outcome(step).error()).isNotNull().extracting(ToolError::code)
                .isEqualTo("E_TOOL_HANDLE_CONFLICT");
        assertThat(ended.pended(waiting(8), NOW))
                .isEqualTo(HandleLifecycle.Transition.of(ended, new HandleEffect.Tombstone()));
    }

    @Test
    void aCallIsKnownByItsPlaceWhereItsTimeIsNotKept() {
        EndedHandle ended = new EndedHandle(CallEnd.COMPLETED, NOW.now(), new CallPlace(0, 8), null, null);

        assertThat(ended.pended(waiting(8), NOW))
                .isEqualTo(HandleLifecycle.Transition.of(ended, new HandleEffect.Tombstone()));
    }

    /// As it is read again after a restart.
    private static HandleLifecycle stored(HandleLifecycle state) {
        return StateCodec.read(StateCodec.write(state));
    }

    @Test
    void aHandleThatEndedIsNobodyElsesAndStaysClosed() {
        HandleLifecycle ended = open(waiting(8)).told(said(completed(null)), NOW).next();

        assertThat(ended.pended(waiting(8), NOW))
                .isEqualTo(HandleLifecycle.Transition.of(ended, new HandleEffect.Tombstone()));
        HandleLifecycle.Transition other = ended.pended(waiting(9), NOW);
        assertThat(other.next()).isEqualTo(ended);
        assertThat(outcome(other).error()).isNotNull().extracting(ToolError::code)
                .isEqualTo("E_TOOL_HANDLE_CONFLICT");
    }

    @Test
    void whatComesBeforeThePendingRecordCountsOnceItComes() {
        HandleLifecycle early = UnknownHandle.HANDLE.told(said(progress(5, "warm")), at(START)).next();
        early = early.told(said(progress(6, "warmer")), at(START)).next();
        early = early.told(said(completed(null)), at(START)).next();

        HandleLifecycle.Transition step = early.pended(waiting(8), NOW);

        assertThat(step.next()).isInstanceOf(EndedHandle.class);
        assertThat(step.effects()).hasSize(3);
        assertThat(((HandleEffect.Show) step.effects().getFirst()).progress().message()).isEqualTo("warmer");
        assertThat(((HandleEffect.Outcome) step.effects().get(1)).outcome()).isEqualTo(completed(null));
    }

    @Test
    void anEarlyEndWithAWrongTokenDoesNotKeepOutTheRightOne() {
        HandleLifecycle early = UnknownHandle.HANDLE.told(said(completed("guess")), at(START)).next();
        early = early.told(said(completed("secret")), at(START)).next();

        HandleLifecycle.Transition step = early.pended(waiting(8, PendingCall.Kind.ASYNC, null, "secret"), NOW);

        assertThat(step.next()).isInstanceOf(EndedHandle.class);
        assertThat(((HandleEffect.Letter) step.effects().getFirst()).why()).isEqualTo(DeadLetterReason.WRONG_TOKEN);
    }

    @Test
    void aSecondEarlyEndIsLateAndASecondEarlyCancellationIsNothing() {
        HandleLifecycle early = UnknownHandle.HANDLE.told(said(completed(null)), at(START)).next();
        assertThat(refusal(early.told(said(failed("later")), NOW))).isEqualTo(DeadLetterReason.LATE);

        HandleLifecycle cancelled = UnknownHandle.HANDLE.told(unwanted(CONVERSATION), at(START)).next();
        assertThat(cancelled.told(unwanted(CONVERSATION), NOW)).isEqualTo(HandleLifecycle.Transition.of(cancelled));
        assertThat(cancelled.pended(waiting(8), NOW).next()).isInstanceOfSatisfying(EndedHandle.class,
                ended -> assertThat(ended.how()).isEqualTo(CallEnd.CANCELLED));
    }

    @Test
    void whoGuessesTokensFillsNoStore() {
        HandleLifecycle early = UnknownHandle.HANDLE.told(said(completed("0")), at(START)).next();
        for (int i = 1; i < EarlyHandle.MAX_ENDS; i++)
            early = early.told(said(completed("" + i)), NOW).next();

        assertThat(refusal(early.told(said(completed("more")), NOW))).isEqualTo(DeadLetterReason.UNKNOWN_HANDLE);
        HandleMessage large = new HandleMessage.Report(completed("x"),
                Handles.raw(RawRecord.Source.COMPLETION, new byte[RawRecord.MAX_BYTES]));
        HandleLifecycle first = UnknownHandle.HANDLE.told(said(completed("0")), at(START)).next();
        assertThat(refusal(first.told(large, NOW))).isEqualTo(DeadLetterReason.UNKNOWN_HANDLE);
    }

    @Test
    void anHourWithoutPendingRecordMakesDeadLetters() {
        HandleLifecycle early = UnknownHandle.HANDLE.told(said(completed(null)), at(START)).next();
        HandleTimer due = HandleTimer.at(START.plus(EarlyHandle.KEPT), HandleTimer.Effect.FORGET);
        assertThat(early.dues()).containsExactly(due);

        HandleLifecycle.Transition step = early.due(due, at(START.plus(EarlyHandle.KEPT)));

        assertThat(refusal(step)).isEqualTo(DeadLetterReason.UNKNOWN_HANDLE);
        assertThat(step.next()).isEqualTo(UnknownHandle.HANDLE);
    }
}
