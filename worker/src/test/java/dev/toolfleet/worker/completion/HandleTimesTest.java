package dev.toolfleet.worker.completion;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolError;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.worker.completion.Handles.CONVERSATION;
import static dev.toolfleet.worker.completion.Handles.DEADLINE;
import static dev.toolfleet.worker.completion.Handles.HANDLE;
import static dev.toolfleet.worker.completion.Handles.START;
import static dev.toolfleet.worker.completion.Handles.at;
import static dev.toolfleet.worker.completion.Handles.completed;
import static dev.toolfleet.worker.completion.Handles.error;
import static dev.toolfleet.worker.completion.Handles.open;
import static dev.toolfleet.worker.completion.Handles.outcome;
import static dev.toolfleet.worker.completion.Handles.progress;
import static dev.toolfleet.worker.completion.Handles.said;
import static dev.toolfleet.worker.completion.Handles.unwanted;
import static dev.toolfleet.worker.completion.Handles.waiting;
import static org.assertj.core.api.Assertions.assertThat;

/// Timers of a handle: signs of life, deadlines, questions to modules.
class HandleTimesTest {
    private static final DecisionContext NOW = at(START.plusSeconds(10));

    @Test
    void progressIsShownAtMostOnceASecondAndCut() {
        PendingHandle open = open(waiting(8));
        HandleLifecycle.Transition first = open.told(said(progress(10, "x".repeat(2_000))), NOW);
        HandleLifecycle.Transition second = first.next().told(said(progress(11, null)), at(NOW.now().plusMillis(999)));
        HandleLifecycle.Transition third = second.next().told(said(progress(12, null)),
                at(NOW.now().plusMillis(1_000)));

        Progress shown = ((HandleEffect.Show) first.effects().getFirst()).progress();
        assertThat(shown.message()).hasSize(PendingHandle.MAX_MESSAGE);
        assertThat(second.effects()).isEmpty();
        assertThat(third.effects()).hasSize(1);
    }

    @Test
    void silenceBeyondTheHeartbeatTimeoutExpiresTheCall() {
        Duration timeout = Duration.ofSeconds(30);
        PendingHandle open = open(waiting(8, PendingCall.Kind.ASYNC, timeout, null));
        HandleTimer first = HandleTimer.at(START.plus(timeout), HandleTimer.Effect.HEARTBEAT);
        assertThat(open.dues()).contains(first);

        PendingHandle heard = (PendingHandle) open.told(said(progress(1, null)), NOW).next();
        assertThat(heard.dues()).as("no entry per progress").isEqualTo(open.dues());
        PendingHandle moved = (PendingHandle) heard.due(first, at(START.plus(timeout))).next();
        HandleTimer second = HandleTimer.at(NOW.now().plus(timeout), HandleTimer.Effect.HEARTBEAT);
        assertThat(moved.dues()).contains(second).doesNotContain(first);

        ToolError error = error(outcome(moved.due(second, at(NOW.now().plus(timeout)))));
        assertThat(error.code()).isEqualTo("E_TOOL_HANDLE_EXPIRED");
        assertThat(error.message()).contains("silent since " + NOW.now()).contains("30000 ms", "of 'build__start'");
    }

    @Test
    void aWaitThatExpiresNamesItsTarget() {
        Duration timeout = Duration.ofSeconds(30);
        PendingCall call = waiting(8, PendingCall.Kind.ASYNC, timeout, null);
        PendingHandle open = open(
                new PendingCall(call.handle(), call.kind(), call.call(), call.partition(), call.callOffset(),
                        null, null, DEADLINE, timeout, null, START, call.origin(), null, "reviewer@chat-1"));
        Instant late = START.plus(timeout);

        assertThat(error(outcome(open.due(HandleTimer.at(late, HandleTimer.Effect.HEARTBEAT), at(late)))).message())
                .startsWith("The work of 'build__start', by reviewer@chat-1, has been silent since ");
        assertThat(
                error(outcome(open.due(HandleTimer.at(DEADLINE, HandleTimer.Effect.DEADLINE), at(DEADLINE)))).message())
                .startsWith("The work, by reviewer@chat-1, did not report its end by its deadline ");
    }

    @Test
    void theDeadlineExpiresTheCallHoweverLoudItIs() {
        PendingHandle open = open(waiting(8));

        HandleLifecycle.Transition step = open.due(HandleTimer.at(DEADLINE, HandleTimer.Effect.DEADLINE), at(DEADLINE));

        ToolError error = error(outcome(step));
        assertThat(error.code()).isEqualTo("E_TOOL_HANDLE_EXPIRED");
        assertThat(error.message()).contains("deadline").contains(DEADLINE.toString());
        assertThat(step.next()).isEqualTo(new EndedHandle(CallEnd.EXPIRED, DEADLINE, new CallPlace(0, 8), START, null));
    }

    @Test
    void anApprovalHasNoHeartbeatAndNobodyIsAskedForIt() {
        PendingCall call = waiting(8, PendingCall.Kind.APPROVAL, Duration.ofSeconds(1), null);
        PollSpec poll = new PollSpec(Duration.ofSeconds(10), 2, Duration.ofSeconds(30));

        HandleLifecycle open = UnknownHandle.HANDLE.pended(call, at(START, poll)).next();

        assertThat(open.dues()).containsExactly(HandleTimer.at(DEADLINE, HandleTimer.Effect.DEADLINE));
    }

    @Test
    void aModuleIsAskedMoreAndMoreSlowlyUntilItKnowsTheEnd() {
        PollSpec poll = new PollSpec(Duration.ofSeconds(10), 2, Duration.ofSeconds(30));
        HandleLifecycle state = UnknownHandle.HANDLE.pended(waiting(8), at(START, poll)).next();
        CallPlace place = new CallPlace(0, 8);
        Instant now = START;
        for (int seconds : List.of(10, 10, 20, 30, 30)) {
            HandleTimer question = question(state);
            assertThat(question.atMillis() - now.toEpochMilli()).isBetween(seconds * 900L, seconds * 1_100L);
            now = Instant.ofEpochMilli(question.atMillis());
            HandleLifecycle.Transition asked = state.due(question, at(now, poll));
            assertThat(asked.effects()).containsExactly(new HandleEffect.Ask(place));
            assertThat(question(asked.next()).atMillis()).as("asked again should the answer get lost")
                    .isEqualTo(now.plus(PendingHandle.ANSWER_WITHIN).toEpochMilli());
            HandleLifecycle.Transition answered = asked.next().answered(
                    new ModuleAnswer.Found(place, Completion.progress(HANDLE, new Progress(null, null), null)),
                    at(now, poll));
            assertThat(answered.effects()).isEmpty();
            assertThat(((PendingHandle) answered.next()).heardAt()).isEqualTo(now);
            state = answered.next();
        }
        assertThat(outcome(state.answered(new ModuleAnswer.Found(place, completed(null)), at(now, poll))))
                .isEqualTo(completed(null));
    }

    @Test
    void aModuleThatDoesNotKnowIsNoSignOfLife() {
        PollSpec poll = new PollSpec(Duration.ofSeconds(10), 2, Duration.ofSeconds(30));
        PendingHandle open = (PendingHandle) UnknownHandle.HANDLE.pended(waiting(8), at(START, poll)).next();

        PendingHandle asked = (PendingHandle) open
                .answered(new ModuleAnswer.Silent(new CallPlace(0, 8)), at(NOW.now(), poll)).next();

        assertThat(asked.heardAt()).isEqualTo(START);
        assertThat(asked.asked()).isEqualTo(1);
    }

    @Test
    void anAnswerAboutAnotherCallIsNone() {
        PendingHandle open = open(waiting(8));

        assertThat(open.answered(new ModuleAnswer.Found(new CallPlace(0, 4), completed(null)), NOW))
                .isEqualTo(HandleLifecycle.Transition.of(open));
    }

    @Test
    void aDeclarationThatIsGoneIsLookedForAgain() {
        PollSpec poll = new PollSpec(Duration.ofSeconds(10), 2, Duration.ofSeconds(30));
        HandleLifecycle state = UnknownHandle.HANDLE.pended(waiting(8), at(START, poll)).next();

        HandleLifecycle.Transition step = state.due(question(state), NOW);

        assertThat(step.effects()).isEmpty();
        assertThat(question(step.next()))
                .isEqualTo(HandleTimer.at(NOW.now().plus(PendingHandle.DECLARED_AGAIN_WITHIN),
                        HandleTimer.Effect.QUESTION));
    }

    @Test
    void timesThatNoClockReachesAreBorne() {
        PendingCall call = waiting(8, PendingCall.Kind.ASYNC, Duration.ofSeconds(Long.MAX_VALUE), null);
        PendingCall late = new PendingCall(HANDLE, call.kind(), call.call(), 0, 8, null, null, Instant.MAX,
                call.heartbeatTimeout(), null, START, null);

        PendingHandle open = open(late);

        assertThat(open.dues()).hasSize(2).allSatisfy(due -> assertThat(due.isReached(DEADLINE)).isFalse());
        assertThat(open.told(unwanted(CONVERSATION), NOW).next().keepsCall()).as("no module is known").isFalse();
    }

    private static HandleTimer question(HandleLifecycle state) {
        return state.dues().stream().filter(due -> due.what() == HandleTimer.Effect.QUESTION).findFirst().orElseThrow();
    }
}
