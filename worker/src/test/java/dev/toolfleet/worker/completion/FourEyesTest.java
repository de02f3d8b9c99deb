package dev.toolfleet.worker.completion;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.worker.completion.Handles.ASKED;
import static dev.toolfleet.worker.completion.Handles.EXPIRES;
import static dev.toolfleet.worker.completion.Handles.HANDLE;
import static dev.toolfleet.worker.completion.Handles.START;
import static dev.toolfleet.worker.completion.Handles.at;
import static dev.toolfleet.worker.completion.Handles.decided;
import static dev.toolfleet.worker.completion.Handles.open;
import static dev.toolfleet.worker.completion.Handles.reject;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Approvals that several people, or another person than the requester, must give.
class FourEyesTest {
    private static final DecisionContext NOW = at(START.plusSeconds(10));

    static PendingCall asking(int quorum, @Nullable String notBy) {
        return asking(new Approval(ASKED.rule(), ASKED.rules(), ASKED.reason(), ASKED.fingerprint(),
                ASKED.policyDigest(), 0, null, quorum == 1 ? null : quorum, notBy, null));
    }

    static PendingCall asking(Approval asked) {
        PendingCall call = Handles.asking(8);
        return new PendingCall(call.handle(), call.kind(), call.call(), call.partition(), call.callOffset(),
                call.catalogDigest(), call.output(), EXPIRES, null, null, START, call.origin(), asked);
    }

    static Decision by(@Nullable String name) {
        return Decision.approve(HANDLE, name, null);
    }

    private static List<HandleEffect> effects(HandleLifecycle from, Decision... decisions) {
        List<HandleEffect> effects = new ArrayList<>();
        HandleLifecycle state = from;
        for (Decision decision : decisions) {
            HandleLifecycle.Transition step = state.told(decided(decision), NOW);
            effects.addAll(step.effects());
            state = step.next();
        }
        return effects;
    }

    private static List<String> audits(List<HandleEffect> effects) {
        return effects.stream().filter(HandleEffect.Audit.class::isInstance).map(HandleEffect.Audit.class::cast)
                .map(audit -> audit.what().text() + " " + audit.by() + " " + audit.given()).toList();
    }

    private static List<String> letters(List<HandleEffect> effects) {
        return effects.stream().filter(HandleEffect.Letter.class::isInstance).map(HandleEffect.Letter.class::cast)
                .map(letter -> letter.why().text()).toList();
    }

    @Test
    void aCallRunsWithTheLastOfThePeopleWhoMustApprove() {
        List<HandleEffect> effects = effects(open(asking(3, null)), by("ann"), by("ben"), by("cho"), by("dan"));

        assertThat(audits(effects)).containsExactly("approval-counted ann 1", "approval-counted ben 2",
                "approved cho 3");
        assertThat(letters(effects)).containsExactly("late");
        assertThat(effects).filteredOn(HandleEffect.Approved.class::isInstance).singleElement()
                .satisfies(effect -> assertThat(((HandleEffect.Approved) effect).grant().approvers())
                        .containsExactly("ann", "ben", "cho"));
    }

    @Test
    void thePersonWhoApprovesTwiceIsCountedOnceAndToldSo() {
        List<HandleEffect> effects = effects(open(asking(2, null)), by("ann"), by("ann"), by(" ann "));

        assertThat(letters(effects)).containsExactly("counted", "counted");
        assertThat(audits(effects)).containsExactly("approval-counted ann 1", "approval-refused ann 1",
                "approval-refused ann 1");
        assertThat(((HandleEffect.Audit) effects.getLast()).reason())
                .isEqualTo("ann has approved already and is counted once; 1 of 2 people have approved");
        assertThat(audits(effects(open(asking(2, null)), by("ann"), by("Ann")))).as("names are compared exactly")
                .containsExactly("approval-counted ann 1", "approved Ann 2");
    }

    @Test
    void theRequesterDoesNotCountAndNeitherDoesWhoHasNoName() {
        List<HandleEffect> effects = effects(open(asking(1, "u1")), by("u1"), by(null), by(" "), by("ann"));

        assertThat(letters(effects)).containsExactly("requester", "nameless", "nameless");
        assertThat(audits(effects)).containsExactly("approval-refused u1 0", "approval-refused null 0",
                "approval-refused null 0", "approved ann 1");
        assertThat(letters(effects(open(asking(2, null)), by(null)))).containsExactly("nameless");
    }

    @Test
    void oneRejectionRejectsHoweverManyHaveApproved() {
        List<HandleEffect> effects = effects(open(asking(2, null)), by("ann"), reject(), by("ben"));

        assertThat(audits(effects)).containsExactly("approval-counted ann 1", "rejected ben 0");
        assertThat(letters(effects)).containsExactly("late");
        assertThat(effects).noneMatch(HandleEffect.Approved.class::isInstance);
    }

    @Test
    void whatIsNotShownWholeIsCountedOnlyForThoseWhoSaySo() {
        PendingCall hidden = asking(2, null).hiding(1);

        List<HandleEffect> effects = effects(open(hidden), by("ann"), by("ann").evenIfHidden(), by("ben"),
                by("ben").evenIfHidden());

        assertThat(audits(effects)).containsExactly("approval-refused ann 0", "approval-counted ann 1",
                "approval-refused ben 1", "approved ben 2");
    }

    @Test
    void decisionsBeforeThePendingRecordAreCountedWhenItComes() {
        HandleLifecycle early = UnknownHandle.HANDLE;
        for (Decision decision : List.of(by("ann"), by("ann"), by("ben"), reject()))
            early = early.told(decided(decision), NOW).next();

        assertThat(((EarlyHandle) early).said()).as("the repeated one is late").hasSize(3);
        HandleLifecycle.Transition step = early.pended(asking(2, null), NOW);
        assertThat(audits(step.effects())).containsExactly("approval-counted ann 1", "approved ben 2");
        assertThat(letters(step.effects())).containsExactly("late");
        assertThat(audits(early.pended(Handles.asking(8), NOW).effects())).as("where one is enough")
                .containsExactly("approved ann 1");
    }

    @Test
    void earlyDecisionsAreBoundedAndARejectionStillHasAPlace() {
        HandleLifecycle early = UnknownHandle.HANDLE;
        for (int i = 0; i < 20; i++)
            early = early.told(decided(by("p" + i)), NOW).next();
        early = early.told(decided(reject()), NOW).next();

        assertThat(((EarlyHandle) early).said()).hasSize(EarlyHandle.MAX_APPROVALS + 1);
        String reason = "r".repeat(HandleIntake.MAX_DECISION - 200);
        HandleLifecycle large = UnknownHandle.HANDLE;
        for (String name : List.of("ann", "ben", "cho", "dan"))
            large = large.told(decided(Decision.approve(HANDLE, name, reason)), NOW).next();
        assertThat(((EarlyHandle) large).said()).as("what the store takes").hasSize(2);
    }

    @Test
    void theCountIsStateThatOlderVersionsDoNotRead() {
        PendingHandle counted = (PendingHandle) open(asking(2, null)).told(decided(by("ann")), NOW).next();
        byte[] state = requireNonNull(StateCodec.write(counted));

        assertThat((char) state[0]).isEqualTo('Q');
        assertThat(StateCodec.read(state)).isEqualTo(counted);
        assertThat(effects(StateCodec.read(state), by("ann"), by("ben"))).as("after a move of the partition")
                .anyMatch(HandleEffect.Approved.class::isInstance);
        assertThat((char) requireNonNull(StateCodec.write(open(asking(1, "u1"))))[0]).isEqualTo('Q');
    }

    /// The record is written by the fleet for readers; who may write `tool.pending` must not count people.
    @Test
    void whatAPendingRecordSaysOfApprovalsDoesNotCount() {
        PendingHandle open = open(asking(2, null).approvedBy(List.of("ann")));

        assertThat(open.people()).isEmpty();
        assertThat(audits(effects(open, by("ben")))).containsExactly("approval-counted ben 1");
        PendingHandle counted = (PendingHandle) open.told(decided(by("ben")), NOW).next();
        assertThat(counted.pended(asking(2, null).approvedBy(List.of("ben")), NOW)).as("its own record comes back")
                .isEqualTo(HandleLifecycle.Transition.of(counted));
    }

    @Test
    void twoPeopleWhoAreTooLateRunNothing() {
        PendingHandle counted = (PendingHandle) open(asking(2, null)).told(decided(by("ann")), NOW).next();

        HandleLifecycle.Transition step = counted.told(decided(by("ben")), at(EXPIRES));

        assertThat(audits(step.effects())).containsExactly("approval-expired null 0");
        assertThat(letters(step.effects())).containsExactly("late");
    }
}
