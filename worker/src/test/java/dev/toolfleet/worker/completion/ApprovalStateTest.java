package dev.toolfleet.worker.completion;

import java.util.List;
import java.util.stream.Stream;

import dev.toolfleet.oauth.grant.AuthorizationRules;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall.Grant;
import dev.toolfleet.wire.ToolError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.toolfleet.worker.completion.Handles.ASKED;
import static dev.toolfleet.worker.completion.Handles.CONVERSATION;
import static dev.toolfleet.worker.completion.Handles.EXPIRES;
import static dev.toolfleet.worker.completion.Handles.HANDLE;
import static dev.toolfleet.worker.completion.Handles.START;
import static dev.toolfleet.worker.completion.Handles.approve;
import static dev.toolfleet.worker.completion.Handles.asking;
import static dev.toolfleet.worker.completion.Handles.at;
import static dev.toolfleet.worker.completion.Handles.completed;
import static dev.toolfleet.worker.completion.Handles.decided;
import static dev.toolfleet.worker.completion.Handles.hiding;
import static dev.toolfleet.worker.completion.Handles.open;
import static dev.toolfleet.worker.completion.Handles.reject;
import static dev.toolfleet.worker.completion.Handles.said;
import static dev.toolfleet.worker.completion.Handles.unwanted;
import static dev.toolfleet.worker.completion.Handles.waiting;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/// Handles that wait for a person: every state and everything that can happen to it.
class ApprovalStateTest {
    private static final DecisionContext NOW = at(START.plusSeconds(10));
    private static final HandleTimer DEADLINE = HandleTimer.at(EXPIRES, HandleTimer.Effect.DEADLINE);

    private static HandleLifecycle early(HandleMessage told) {
        return UnknownHandle.HANDLE.told(told, at(START)).next();
    }

    private static HandleLifecycle after(HandleMessage told) {
        return open(asking(8)).told(told, NOW).next();
    }

    private static HandleLifecycle.Transition approvedAt(DecisionContext moment) {
        return open(asking(8)).told(decided(approve()), moment);
    }

    /// Describes the effects of a step in words.
    private static List<String> words(HandleLifecycle.Transition step) {
        return step.effects().stream().map(effect -> switch (effect) {
            case HandleEffect.Approved _ -> "runs";
            case HandleEffect.Outcome outcome -> requireNonNull(outcome.outcome().error()).code();
            case HandleEffect.Audit audit -> "event " + audit.what().text();
            case HandleEffect.Letter letter -> letter.why().text();
            case HandleEffect.Tombstone _ -> "closed";
            case HandleEffect.WriteAgain _ -> "written again";
            case HandleEffect.Show _,HandleEffect.ShowCount _,HandleEffect.Ask _,HandleEffect.Tell _ -> "unexpected";
        }).toList();
    }

    private static PendingCall authorizing() {
        PendingCall call = asking(8);
        return new PendingCall(call.handle(), PendingCall.Kind.AUTHORIZATION, call.call(), call.partition(), 8,
                "sha256:c", call.output(), EXPIRES, null, null, START, call.origin(), call.approval());
    }

    interface Event {
        HandleLifecycle.Transition on(HandleLifecycle state);
    }

    private static Event told(HandleMessage told) {
        return state -> state.told(told, NOW);
    }

    private static Event toldAt(HandleMessage told, DecisionContext moment) {
        return state -> state.told(told, moment);
    }

    private static Event pended(PendingCall call) {
        return state -> state.pended(call, NOW);
    }

    static Stream<Arguments> table() {
        HandleLifecycle open = open(asking(8));
        HandleLifecycle async = open(waiting(8));
        HandleLifecycle unbound = open(waiting(8, PendingCall.Kind.APPROVAL, null, null));
        HandleLifecycle authorization = open(authorizing());
        Event granted = told(decided(Decision.approve(HANDLE, AuthorizationRules.BY, null)));
        HandleLifecycle approved = after(decided(approve()));
        HandleLifecycle rejected = after(decided(reject()));
        HandleLifecycle cancelled = after(unwanted(CONVERSATION));
        HandleLifecycle expired = open.due(DEADLINE, at(EXPIRES)).next();
        Event approve = told(decided(approve()));
        Event reject = told(decided(reject()));
        List<String> late = List.of("late");
        List<String> grant = List.of("runs", "closed", "event approved");
        List<String> rejection = List.of("E_TOOL_APPROVAL_REJECTED", "closed", "event rejected");
        List<String> expiry = List.of("E_TOOL_APPROVAL_EXPIRED", "closed", "event approval-expired");
        List<String> expiryAndLate = List.of("E_TOOL_APPROVAL_EXPIRED", "closed", "event approval-expired", "late");
        return Stream.of(arguments("unknown, approve", UnknownHandle.HANDLE, approve, List.of(), EarlyHandle.class),
                arguments("unknown, reject", UnknownHandle.HANDLE, reject, List.of(), EarlyHandle.class),
                arguments("unknown, asked", UnknownHandle.HANDLE, pended(asking(8)), List.of(), PendingHandle.class),
                arguments("early approve, approve", early(decided(approve())), approve, late, EarlyHandle.class),
                arguments("early approve, reject", early(decided(approve())), reject, List.of(), EarlyHandle.class),
                arguments("early reject, approve", early(decided(reject())), approve, late, EarlyHandle.class),
                arguments("early approve, asked", early(decided(approve())), pended(asking(8)), grant,
                        EndedHandle.class),
                arguments("early reject, asked", early(decided(reject())), pended(asking(8)), rejection,
                        EndedHandle.class),
                arguments("early approve, async call", early(decided(approve())), pended(waiting(8)),
                        List.of("wrong-kind"), PendingHandle.class),
                arguments("early completion, asked", early(said(completed(null))), pended(asking(8)),
                        List.of("wrong-kind"), PendingHandle.class),
                arguments("early approve, an hour", early(decided(approve())),
                        (Event) state -> state
                                .due(HandleTimer.at(START.plus(EarlyHandle.KEPT), HandleTimer.Effect.FORGET), NOW),
                        List.of("unknown-handle"), UnknownHandle.class),
                arguments("open, approve", open, approve, grant, EndedHandle.class),
                arguments("open, reject", open, reject, rejection, EndedHandle.class),
                arguments("open, completion", open, told(said(completed(null))), List.of("wrong-kind"),
                        PendingHandle.class),
                arguments("open, cancelled", open, told(unwanted(CONVERSATION)),
                        List.of("E_TOOL_CANCELLED", "closed"), EndedHandle.class),
                arguments("open, cancelled by another instance", open, told(unwanted("other")),
                        List.of("wrong-instance"), PendingHandle.class),
                arguments("open, deadline", open, (Event) state -> state.due(DEADLINE, at(EXPIRES)), expiry,
                        EndedHandle.class),
                arguments("open, approved in the last moment", open,
                        toldAt(decided(approve()), at(EXPIRES.minusMillis(1))), grant, EndedHandle.class),
                arguments("open, approved at its deadline before anybody looked", open,
                        toldAt(decided(approve()), at(EXPIRES)), expiryAndLate, EndedHandle.class),
                arguments("open, rejected after its deadline before anybody looked", open,
                        toldAt(decided(reject()), at(EXPIRES.plusSeconds(60))), expiryAndLate, EndedHandle.class),
                arguments("open, the same record again", open, pended(asking(8)), List.of(), PendingHandle.class),
                arguments("open, another call", open, pended(asking(9)),
                        List.of("written again", "E_TOOL_HANDLE_CONFLICT"), PendingHandle.class),
                arguments("open for work, approve", async, approve, List.of("wrong-kind"), PendingHandle.class),
                arguments("open for work, reject", async, reject, List.of("wrong-kind"), PendingHandle.class),
                arguments("open without what was asked, approve", unbound, approve,
                        List.of("E_TOOL_DENIED", "closed", "event denied"), EndedHandle.class),
                arguments("open without what was asked, reject", unbound, reject, rejection, EndedHandle.class),
                arguments("open, not all shown, approve", open(hiding(2)), approve,
                        List.of("hidden", "event approval-refused"), PendingHandle.class),
                arguments("open, nothing says that all is shown, approve", open(hiding(null)), approve,
                        List.of("hidden", "event approval-refused"), PendingHandle.class),
                arguments("open, not all shown, approve despite that", open(hiding(2)),
                        told(decided(approve().evenIfHidden())), grant, EndedHandle.class),
                arguments("open, nothing says that all is shown, approve despite that", open(hiding(null)),
                        told(decided(approve().evenIfHidden())), grant, EndedHandle.class),
                arguments("open, not all shown, reject", open(hiding(2)), reject, rejection, EndedHandle.class),
                arguments("early approve, asked and not all shown", early(decided(approve())), pended(hiding(2)),
                        List.of("hidden", "event approval-refused"), PendingHandle.class),
                arguments("authorization, granted", authorization, granted, List.of("runs", "closed"),
                        EndedHandle.class),
                arguments("authorization, granted early",
                        early(decided(Decision.approve(HANDLE, AuthorizationRules.BY, null))),
                        pended(authorizing()), List.of("runs", "closed"), EndedHandle.class),
                arguments("authorization, approved by a person", authorization, approve, List.of("wrong-kind"),
                        PendingHandle.class),
                arguments("authorization, declined", authorization, reject,
                        List.of("E_TOOL_AUTHORIZATION_DENIED", "closed"), EndedHandle.class),
                arguments("authorization, completion", authorization, told(said(completed(null))),
                        List.of("wrong-kind"), PendingHandle.class),
                arguments("authorization, cancelled", authorization, told(unwanted(CONVERSATION)),
                        List.of("E_TOOL_CANCELLED", "closed"), EndedHandle.class),
                arguments("authorization, deadline", authorization, (Event) state -> state.due(DEADLINE, at(EXPIRES)),
                        List.of("E_TOOL_AUTHORIZATION_EXPIRED", "closed"), EndedHandle.class),
                arguments("approved, approve", approved, approve, late, EndedHandle.class),
                arguments("approved, reject", approved, reject, late, EndedHandle.class),
                arguments("approved, completion", approved, told(said(completed(null))), late, EndedHandle.class),
                arguments("approved, cancelled", approved, told(unwanted(CONVERSATION)), List.of(), EndedHandle.class),
                arguments("approved, its record again", approved, pended(asking(8)), List.of("closed"),
                        EndedHandle.class),
                arguments("approved, another call", approved, pended(asking(9)),
                        List.of("E_TOOL_HANDLE_CONFLICT", "closed"), EndedHandle.class),
                arguments("rejected, approve", rejected, approve, late, EndedHandle.class),
                arguments("expired, approve", expired, approve, late, EndedHandle.class),
                arguments("cancelled, approve", cancelled, approve, late, EndedHandle.class),
                arguments("cancelled, reject", cancelled, reject, late, EndedHandle.class));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void everyStateKnowsWhatADecisionComesTo(String name, HandleLifecycle state, Event event, List<String> effects,
            Class<? extends HandleLifecycle> next) {
        HandleLifecycle.Transition step = event.on(state);

        assertThat(words(step)).as(name).isEqualTo(effects);
        assertThat(step.next()).as(name).isInstanceOf(next);
    }

    @Test
    void aGrantIsBoundToWhatWasAskedAndSaysWhoGaveIt() {
        HandleEffect.Approved approved = (HandleEffect.Approved) approvedAt(NOW).effects().getFirst();

        assertThat(approved.grant()).isEqualTo(new Grant(HANDLE, ASKED.fingerprint(), ASKED.rule(), ASKED.rules(),
                ASKED.policyDigest(), "sha256:c", "ann", NOW.now()));
        assertThat(approvedAt(NOW).next())
                .isEqualTo(new EndedHandle(CallEnd.APPROVED, NOW.now(), new CallPlace(0, 8), START, null));
        assertThat(approvedAt(NOW).next().keepsCall()).isFalse();
    }

    @Test
    void auditorsHearThatSomethingWasHidden() {
        HandleEffect.Audit refused = (HandleEffect.Audit) open(hiding(2)).told(decided(approve()), NOW).effects()
                .getLast();

        assertThat(refused.by()).isEqualTo("ann");
        assertThat(refused.reason()).contains("2 places", "despiteHidden");
        assertThat(requireNonNull(refused.call().approval()).hidden()).isEqualTo(2);
    }

    /// A version that knows no conditions must not grant after a rollback.
    @Test
    void theStateOfAnApprovalThatIsNotShownWholeIsUnreadableForOlderVersions() {
        byte[] conditional = requireNonNull(StateCodec.write(open(hiding(2))));
        byte[] plain = requireNonNull(StateCodec.write(open(hiding(0))));

        assertThat((char) conditional[0]).isEqualTo('C');
        assertThat((char) plain[0]).isEqualTo('O');
        assertThat(StateCodec.read(conditional)).isEqualTo(open(hiding(2)));
    }

    @Test
    void aRejectionTellsTheModelWhoAndWhy() {
        HandleLifecycle.Transition step = open(asking(8)).told(decided(reject()), NOW);

        assertThat(step.effects().getFirst()).isInstanceOfSatisfying(HandleEffect.Outcome.class, outcome -> {
            ToolError error = requireNonNull(outcome.outcome().error());
            assertThat(error.message()).isEqualTo("The call was rejected by ben: not today");
            assertThat(error.suggestion()).contains("Do not retry it unchanged");
        });
        HandleLifecycle.Transition silent = open(asking(8)).told(decided(Decision.reject(HANDLE, " ", "")), NOW);
        assertThat(((HandleEffect.Outcome) silent.effects().getFirst()).outcome().error()).isNotNull()
                .extracting(ToolError::message).isEqualTo("A person rejected the call.");
    }

    @Test
    void whatADecisionSaysIsCutAndNothingElseOfItCounts() {
        Decision longer = Decision.reject(HANDLE, "b".repeat(5_000), "r".repeat(5_000));

        HandleEffect.Audit event = (HandleEffect.Audit) open(asking(8)).told(decided(longer), NOW).effects().getLast();

        assertThat(event.by()).hasSize(Decision.MAX_BY).endsWith("(truncated)");
        assertThat(event.reason()).hasSize(Decision.MAX_REASON);
    }

    @Test
    void whoMayCompleteWorkCannotKeepADecisionOut() {
        HandleLifecycle early = early(said(completed("0")));
        for (int i = 1; i < EarlyHandle.MAX_ENDS; i++)
            early = early.told(said(completed("" + i)), NOW).next();
        early = early.told(decided(approve()), NOW).next();

        HandleLifecycle.Transition step = early.pended(asking(8), NOW);

        assertThat(words(step)).endsWith("runs", "closed", "event approved");
    }

    @Test
    void aCallThatIsAskedAboutOnceMoreByAnotherHandleIsGrantedByThat() {
        PendingCall again = asking(8);
        PendingCall second = new PendingCall("h-2", again.kind(), again.call(), again.partition(), 8, null, null,
                EXPIRES, null, null, START, again.origin(), ASKED);

        HandleLifecycle.Transition step = open(second).told(decided(Decision.approve("h-2", "ann", null)), NOW);

        assertThat(((HandleEffect.Approved) step.effects().getFirst()).grant().handle()).isEqualTo("h-2");
    }
}
